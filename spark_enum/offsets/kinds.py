"""What is compared about offsets."""

__all__ = ["STEPS"]

STEPS = "steps"
"""Everything that one consumer can do next with offsets, in every state: the client's code with the compiled terms."""
