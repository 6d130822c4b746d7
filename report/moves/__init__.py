"""``rebalance moves``: how many queues change hands when a consumer joins, leaves or crashes, or a topic grows."""
