"""A client's process queue table, and how a rebalance changes it, as Python code."""
