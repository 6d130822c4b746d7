"""A client's rebalance thread, its timer and its wake-ups: state machine and Python code."""
