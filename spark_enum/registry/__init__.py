"""Comparison of code and formulas for a broker's list of group members: all steps."""
