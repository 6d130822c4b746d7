"""Guarantees about the effect of a rebalance on a client's table, for any number of queues."""
