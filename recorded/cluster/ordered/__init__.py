"""Ordered queues: the broker's lock, the entry with its marks, and the listener, of each consumer and queue."""
