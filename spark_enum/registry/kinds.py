"""Names of the checks of a broker's registry."""

__all__ = ["REGISTERS"]

REGISTERS = "registers"
"""Check of every action of a member at a broker: code against compiled terms."""
