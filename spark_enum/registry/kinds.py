"""What is compared about a broker's registry."""

__all__ = ["REGISTERS"]

REGISTERS = "registers"
"""Everything that can happen to a member at a broker, in every state: the code with the compiled terms."""
