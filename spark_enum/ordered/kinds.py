"""Names of the checks of ordered consumption."""

ACTIONS = "actions"
"""Kind of check: all actions of one ordered consumer, client code against compiled formulas."""
