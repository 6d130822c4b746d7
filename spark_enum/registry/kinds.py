"""Names of the checks of a broker's registry."""

REGISTERS = "registers"
"""Kind of check: all actions of a member at a broker, code against compiled formulas."""
