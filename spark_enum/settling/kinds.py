"""Names of the checks of the rebalance thread."""

__all__ = ["WAKES"]

WAKES = "wakes"
"""Kind of check: all actions of or on a rebalance thread, code against compiled formulas."""
