"""Names of the comparisons about pull requests."""

__all__ = ["REQUESTS"]

REQUESTS = "requests"
"""Check of every action on pull requests: client code against compiled terms."""
