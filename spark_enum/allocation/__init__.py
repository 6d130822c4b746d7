"""Enumeration of groups: concrete code, compiled terms and solvers are compared."""
