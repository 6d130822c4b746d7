"""Settling: every step of a client's rebalance thread, and all that can wake it."""
