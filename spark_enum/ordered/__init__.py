"""Comparison of code and formulas for ordered consumption: all actions of one consumer."""
