"""When a client's rebalance thread runs: its timer and its wake-ups, as a machine and as code."""
