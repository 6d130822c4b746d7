"""Names of the comparisons about pull requests."""

__all__ = ["REQUESTS"]

REQUESTS = "requests"
"""Every action of one consumer on pull requests, in every state: the client's code with the compiled terms."""
