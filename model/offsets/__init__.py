"""Offsets of concurrent consumption: one consumer of one queue, the broker's offset, and one message."""
