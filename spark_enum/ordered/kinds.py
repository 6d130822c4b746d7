"""Names of the checks of ordered consumption."""

__all__ = ["ACTIONS"]

ACTIONS = "actions"
"""Check of every action of one ordered consumer: client code against compiled terms."""
