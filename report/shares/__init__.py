"""``rebalance shares``: the queues that each consumer of a group takes."""
