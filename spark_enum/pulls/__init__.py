"""Comparison of code and formulas for pull requests: all actions, with at most one request of each kind."""
