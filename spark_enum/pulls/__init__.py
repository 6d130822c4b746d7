"""Comparison of code and formulas for pull requests of a queue: all actions."""
