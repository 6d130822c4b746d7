"""A client's transition as terms: what one rebalance does to one queue, for any state, answers and consumer."""
