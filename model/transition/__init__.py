"""A client's transition as terms: what one rebalance does to one queue, for any state, any answers and any consumer."""
