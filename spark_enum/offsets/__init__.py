"""Comparison of code and formulas for offsets: all actions of one consumer."""
