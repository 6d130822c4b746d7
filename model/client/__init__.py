"""A client's process queue table, and how a rebalance changes it: Python code by client version."""
