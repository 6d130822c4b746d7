"""Spaces of configurations, their enumeration on Spark, and the comparison with the solvers."""
