"""Names of the checks about a broker's registry."""

__all__ = ["REGISTERS"]

REGISTERS = "registers"
"""Every action of a member at a broker in every state: code compared with compiled terms."""
