"""Enumeration of small groups and states on Spark, and comparison with the solvers' results."""
