"""What is compared about subscriptions."""

__all__ = ["HEARTBEATS"]

HEARTBEATS = "heartbeats"
"""Everything that can happen to a topic's subscription, in every state: the code with the compiled terms."""
