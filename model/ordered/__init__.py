"""Ordered consumption: the broker's lock of one queue, and the consumers that ask for it."""
