"""Names of the checks of offsets."""

__all__ = ["STEPS"]

STEPS = "steps"
"""Kind of check: all actions of one consumer with offsets, code against compiled formulas."""
