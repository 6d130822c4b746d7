"""What is compared about settling."""

__all__ = ["WAKES"]

WAKES = "wakes"
"""Everything that can happen to a rebalance thread, in every state: the client's code with the compiled terms."""
