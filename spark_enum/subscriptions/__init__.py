"""Comparison of code and formulas for subscriptions: all steps of members and of the broker."""
