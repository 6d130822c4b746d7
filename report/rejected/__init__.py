"""Recorded groups that are not accepted, as a page with pictures: ``rebalance conform --cluster --report``."""
