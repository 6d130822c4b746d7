"""Guarantees about the effect of a rebalance on a client's table of process queues.

They cover any number of queues.
"""
