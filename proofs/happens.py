"""What two consumers do, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

__all__ = ["NAMES", "Happens", "Schedule", "x_first"]

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


def x_first(backwards: Sequence[Happens]) -> Schedule:
    """In order, what was found backwards: two consumers are alike, so whoever acts first is the first one."""
    first = backwards[-1].who
    return tuple(replace(happens, who=happens.who ^ first) for happens in reversed(backwards))
