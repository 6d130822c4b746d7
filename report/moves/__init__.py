"""``rebalance moves``: how many queues change owners when a consumer joins or leaves, or a topic grows."""
