"""Names of the checks of the rebalance thread."""

__all__ = ["WAKES"]

WAKES = "wakes"
"""Check of every action of or on a rebalance thread: client code against compiled terms."""
