"""A client's rebalance thread, its timer and its wake-ups, as a state machine and Python code."""
