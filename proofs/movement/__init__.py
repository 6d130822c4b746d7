"""Guarantees about the queues that change hands when a consumer joins.

In reverse, they are about a consumer that leaves.
"""
