"""Comparison of code and formulas for a client's rebalance thread: all steps and wake-ups."""
