"""Enumeration of groups: comparison of concrete code, compiled terms and solvers, group by group."""
