"""Enumeration of groups: concrete implementation, compiled terms and solvers, group by group."""
