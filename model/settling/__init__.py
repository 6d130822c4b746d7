"""When a client's rebalance thread runs: the timer, the wake-up, and what they are worth."""
