"""A client's transition as terms: the effect of one rebalance on one queue, for any state and answers."""
