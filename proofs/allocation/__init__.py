"""Guarantees about the allocation of one topic's queues in one group."""
