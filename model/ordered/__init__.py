"""Ordered consumption: the broker's lock of one queue, and the consumers that request it."""
