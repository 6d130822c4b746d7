"""Schedules: sequences of actions by two consumers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.terms import smt

NAMES = ("X", "Y")
"""Display names of the two consumers."""


@dataclass(frozen=True)
class Happens:
    """One step of a schedule: an action of one consumer."""

    who: int
    """The index of the consumer that acts: 0 or 1."""
    action: str
    said: tuple[tuple[str, bool], ...] = ()
    """The nondeterministic choices of the action, by name, such as whether a message arrives."""


Schedule = tuple[Happens, ...]


def x_first(backwards: Sequence[Happens]) -> Schedule:
    """Reverse a schedule that was found backwards, and rename its first actor to consumer 0.

    Both consumers have the same code and settings, so that renaming them changes nothing else.
    """
    first = backwards[-1].who
    return tuple(replace(happens, who=happens.who ^ first) for happens in reversed(backwards))


def times_of(schedule: Schedule) -> list[smt.IntTerm]:
    """Return the unknown times of the schedule's actions, in ms."""
    return [smt.Int(f"t{place}") for place in range(1, len(schedule) + 1)]
