"""Enumeration of groups, and comparison of strategy code, compiled formulas and solvers."""
