"""What a client does with its share: its table of queues, and the transition that a rebalance makes of it."""
