"""Reports of ``rebalance check``, which checks a user-defined strategy."""
