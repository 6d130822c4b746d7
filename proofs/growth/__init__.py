"""Guarantees about queues that are added to a topic or, in reverse, removed from it."""
