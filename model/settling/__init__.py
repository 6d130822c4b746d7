"""A client's rebalance thread, its timer and its wake-ups, as a machine and as code."""
