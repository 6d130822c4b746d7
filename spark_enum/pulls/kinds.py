"""What is compared about pull requests."""

__all__ = ["REQUESTS"]

REQUESTS = "requests"
"""Everything that one consumer can do next with pull requests, in every state: the client's code with the compiled
terms."""
