"""Names of the checks of subscriptions."""

__all__ = ["HEARTBEATS"]

HEARTBEATS = "heartbeats"
"""Kind of check: all actions on a topic's subscription, code against compiled formulas."""
