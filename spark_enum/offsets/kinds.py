"""Names of the checks of offsets."""

__all__ = ["STEPS"]

STEPS = "steps"
"""Check of every action of one consumer with offsets: client code against compiled terms."""
