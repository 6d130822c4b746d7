"""``rebalance moves``: how many queues change owners when a consumer joins, leaves or crashes, or a topic grows."""
