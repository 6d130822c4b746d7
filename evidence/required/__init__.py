"""How much work a run requires, reckoned apart from the loops that do it, and how much its results have."""

from evidence.required.reckoned import required

__all__ = ["required"]
