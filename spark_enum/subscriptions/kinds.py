"""Names of the checks of subscriptions."""

HEARTBEATS = "heartbeats"
"""Kind of check: all actions on a topic's subscription, code against compiled formulas."""
