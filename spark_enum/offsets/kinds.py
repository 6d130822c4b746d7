"""Names of the checks of offsets."""

__all__ = ["STEPS"]

STEPS = "steps"
"""Check of every action of one consumer with offsets, in every state: the client's code against the compiled terms."""
