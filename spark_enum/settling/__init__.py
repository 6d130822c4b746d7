"""Enumeration of a client's rebalance thread: every step, and everything that can wake it."""
