"""What is compared about ordered consumption."""

__all__ = ["ACTIONS"]

ACTIONS = "actions"
"""Everything that one consumer can do next, in every state: the client's code with the compiled terms."""
