"""What two consumers do, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import z3

__all__ = ["NAMES", "Happens", "Schedule", "times_of", "x_first"]

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


def times_of(schedule: Schedule) -> list[z3.ArithRef]:
    """The unknown times of its actions, in ms."""
    return [z3.Int(f"t{place}") for place in range(1, len(schedule) + 1)]
