"""What a model of a whole group says: its members, and what can happen to a queue, each for itself."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["DEADLOCK", "HAS", "RUNS", "Act", "Changed", "Model", "Move", "Rows", "Watch"]

Rows = np.ndarray
"""States of one queue, one a row, of int8."""
HAS, RUNS = "has", "runs"
Act = Callable[[Rows], tuple[np.ndarray, Rows]]
"""By row, whether it can happen; and the rows afterwards, where it can."""


@dataclass(frozen=True)
class Move:
    """One thing that can happen to a group."""

    name: str
    who: int | None = None
    """A consumer, from 0."""
    queue: int | None = None
    """The one queue that it concerns; None where it can concern all."""
    fault: str = ""
    """The name of the fault that it is; none, where nothing fails."""
    change: bool = False
    """It changes who is in the group."""

    @property
    def daily(self) -> bool:
        """It goes on though nothing fails, and nobody comes or goes."""
        return not (self.fault or self.change)

    def __str__(self) -> str:
        return "".join(
            (
                self.name,
                "" if self.who is None else f" c{self.who}",
                "" if self.queue is None else f" q{self.queue}",
            )
        )


@dataclass(frozen=True)
class Changed:
    """What a move does to the members, and what it means for each queue."""

    members: Hashable
    letters: tuple[str | None, ...]
    """By queue, which of the model's acts happens to it; None for none. Where one of them cannot, the move cannot."""


@dataclass(frozen=True)
class Watch:
    """What must not be."""

    name: str
    sentence: str
    """Of a state in which it is so."""
    wrong: Callable[[Any, int], str | None] | None
    """Given the members and a queue, the name of the flag that this queue must not have; None where all is well. Where
    there is no such function, it is so in a state in which no move is possible."""
    claims: tuple[str, ...] = ()
    """Ids of claims about the same, for any number of consumers and queues, under premises that the model keeps: where
    one is expected to be PROVED, it is never so."""


DEADLOCK = Watch("deadlock", "No move is possible any more.", None)
"""A move that leaves the group as it is is one, too."""


@dataclass(frozen=True)
class Model:
    """A group is its members, a value that can be hashed, and so many queues, each with a state of its own.

    What happens to the members does not depend on the queues. That is what makes states small and successors a matter
    of looking up: the states of the members and those of a queue are gone through once, each for itself.
    """

    name: str
    sentence: str
    """What it is a model of."""
    queues: int
    columns: tuple[str, ...]
    """The numbers of one queue's state, by name."""
    begin: Rows
    """One row."""
    acts: Mapping[str, Act]
    """What can happen to one queue."""
    members: Hashable
    """At first."""
    moves: Sequence[Move]
    after: Callable[[Any, Move], Changed | None]
    """What a move does where the members are like that; None where it cannot happen."""
    says: Mapping[str, str]
    """By a move's name what happens, for people; with ``{who}`` and ``{queue}``."""
    seen: Callable[[Mapping[str, int], int], str]
    """Given a queue's numbers by name, and a consumer: ``HAS`` where the queue is in its table, ``RUNS`` where its
    listener is called, else ``""``."""
    noted: Callable[[Mapping[str, int]], str]
    """What the broker has of a queue, for people."""
    ids: Callable[[Any], frozenset[int]]
    """Of the members, who lives."""
    views: Callable[[Any], tuple[frozenset[int], ...]]
    """Of the members, by consumer whom it has seen in the group when it rebalanced last."""
    flags: Mapping[str, Callable[[Rows], np.ndarray]] = field(default_factory=dict)
    """By name, whether something is so of a queue's state, by row."""
    watches: tuple[Watch, ...] = ()
    right: Watch | None = None
    """What must not be when the group has had the time to agree; None where that is not asked."""
    rebalance: str = "rebalances"
    """The name of the move by which a consumer takes its share."""
    tick: str = ""
    """The name of the move by which time passes; where there is none, the group's time is counted in rounds, in each of
    which every consumer that lives takes its share once, in any order, and whenever."""
