"""Counterexamples as tests of the real clients (``rebalance export-test``)."""
