"""Explain problems in a recorded run: causes of `rebalance why`, and their claims."""
