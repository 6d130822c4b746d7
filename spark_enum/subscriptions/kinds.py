"""Names of the checks of subscriptions."""

__all__ = ["HEARTBEATS"]

HEARTBEATS = "heartbeats"
"""Check of every action on a topic's subscription: code against compiled terms."""
