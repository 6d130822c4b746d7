"""Names of the checks of offsets."""

STEPS = "steps"
"""Kind of check: all actions of one consumer with offsets, code against compiled formulas."""
