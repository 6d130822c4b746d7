"""Check settling: when a client rebalances, and which membership change it has seen by then."""
