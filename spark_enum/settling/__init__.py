"""Enumeration of settling: every step of a client's rebalance thread, and everything that can wake it."""
