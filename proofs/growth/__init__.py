"""Guarantees about queues that are added to a topic or, read backwards, removed from it."""
