"""Guarantees about the transition: what a rebalance does to a client's table, for any number of queues."""
