"""What two consumers do, action by action."""

from dataclasses import dataclass

__all__ = ["NAMES", "Happens", "Schedule"]

NAMES = ("X", "Y")
"""The two consumers, for people."""


@dataclass(frozen=True)
class Happens:
    """One action of one consumer."""

    who: int
    """0 or 1."""
    action: str
    said: tuple[tuple[str, bool], ...] = ()
    """What it leaves open, by name."""


Schedule = tuple[Happens, ...]
