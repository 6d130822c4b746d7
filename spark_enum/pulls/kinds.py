"""Names of the comparisons about pull requests."""

__all__ = ["REQUESTS"]

REQUESTS = "requests"
"""Kind of check: all actions on pull requests, client code against compiled formulas."""
