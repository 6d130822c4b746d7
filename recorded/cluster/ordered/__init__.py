"""Check ordered queues: the broker's lock, the entry's flags, and the listener, by consumer and queue."""
