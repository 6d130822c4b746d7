"""Check when clients rebalance, and whether each rebalance used the last membership change."""
