"""Names of the checks of ordered consumption."""

__all__ = ["ACTIONS"]

ACTIONS = "actions"
"""Check of every action of one consumer, in every state: the client's code against the compiled terms."""
