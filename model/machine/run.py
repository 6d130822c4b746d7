"""Schedules (sequences of actions by two consumers), and runs of a client's code with the states passed through."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.values import Int, number
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


@dataclass(frozen=True)
class Seen(Generic[S]):
    """One step of a run: an action, and the state after it."""

    at: int
    """Time of the action since the start of the run, in ms; 0 without a clock."""
    happens: Happens
    states: tuple[S, ...]
    """The state from the viewpoint of each copy (consumer)."""

    @property
    def state(self) -> S:
        """Return the state of the first copy (consumer)."""
        return self.states[0]


@dataclass(frozen=True)
class Run(Generic[S, L]):
    """A run of the client's code: assumptions and limits, the first state, and all steps."""

    client: Any
    world: Any
    limits: L
    first: S
    seen: tuple[Seen[S], ...]

    @property
    def end(self) -> S:
        """Return the last state; with several copies, that of the first copy."""
        return self.ends[0]

    @property
    def ends(self) -> tuple[S, ...]:
        """Return the last state of each copy."""
        return self.seen[-1].states if self.seen else (self.first,)


def seconds(ms: Int) -> str:
    """Return a time of a run as text in seconds: ``20.001 s``. Raises ``TypeError`` for a term."""
    return f"{number(ms) / 1000:,.3f} s"
