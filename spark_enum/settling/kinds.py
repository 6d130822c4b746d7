"""Names of the comparisons about settling."""

__all__ = ["WAKES"]

WAKES = "wakes"
"""Every action of or on a rebalance thread, in every state: the client's code with the compiled terms."""
