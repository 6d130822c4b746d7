"""Guarantees about the queues of several topics together."""
