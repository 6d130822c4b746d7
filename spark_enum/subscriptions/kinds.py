"""Names of the checks about subscriptions."""

__all__ = ["HEARTBEATS"]

HEARTBEATS = "heartbeats"
"""Every action on a topic's subscription in every state: code compared with compiled terms."""
