"""Interface of a model of a whole group: its members, and what can happen to a queue, each on its own."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["DEADLOCK", "HAS", "RUNS", "Act", "Changed", "Model", "Move", "Rows", "Watch"]

Rows = np.ndarray
"""States of one queue, one a row, of type int8."""
HAS, RUNS = "has", "runs"
Act = Callable[[Rows], tuple[np.ndarray, Rows]]
"""By row, whether the act is possible; and the successors, where it is."""


@dataclass(frozen=True)
class Move:
    """An action of a group."""

    name: str
    who: int | None = None
    """The consumer that acts, numbered from 0; None if there is none."""
    queue: int | None = None
    """The one queue that it concerns; None if it can concern all."""
    fault: str = ""
    """The name of the fault that it is; empty if it is none."""
    change: bool = False
    """Whether it changes who is in the group."""

    @property
    def daily(self) -> bool:
        """Whether the move also happens when nothing fails and nobody joins or leaves."""
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
    """The effect of a move on the members, and on each queue."""

    members: Hashable
    letters: tuple[str | None, ...]
    """By queue, the act that happens to it; None for none. If one of them is not possible, the move is not."""


@dataclass(frozen=True)
class Watch:
    """A target predicate: a state that must not be reached."""

    name: str
    sentence: str
    """A sentence about a state in which the predicate holds."""
    wrong: Callable[[Any, int], str | None] | None
    """``wrong(members, queue)``: the name of the flag that this queue must not have; None if all is well.

    If there is no such function, the predicate is that no move is possible.
    """
    claims: tuple[str, ...] = ()
    """Ids of claims that rule it out for any number of consumers and queues, under premises that the model satisfies.

    If one of them is expected to be PROVED, the predicate must never hold.
    """


DEADLOCK = Watch("deadlock", "No move is possible any more.", None)
"""A move that leaves the group unchanged counts as possible."""


@dataclass(frozen=True)
class Model:
    """A group: the members' state, which is hashable, and the states of several queues.

    What happens to the members does not depend on the queues. That is what makes states small, and successors a matter
    of table look-up: the states of the members and those of a queue are enumerated once, each on their own.
    """

    name: str
    sentence: str
    """What it is a model of."""
    queues: int
    columns: tuple[str, ...]
    """The names of the numbers in a queue's state."""
    begin: Rows
    """The initial state of a queue, as one row."""
    acts: Mapping[str, Act]
    """What can happen to one queue, by name."""
    members: Hashable
    """The initial state of the members."""
    moves: Sequence[Move]
    after: Callable[[Any, Move], Changed | None]
    """``after(members, move)``: the effect of a move; None if it is not possible."""
    says: Mapping[str, str]
    """Sentences about moves by name, with ``{who}`` and ``{queue}``."""
    seen: Callable[[Mapping[str, int], int], str]
    """``seen(numbers, consumer)``: ``HAS`` if the queue is in its table, ``RUNS`` if its listener runs, else ``""``."""
    noted: Callable[[Mapping[str, int]], str]
    """``noted(numbers)``: the broker's data on a queue, for people."""
    ids: Callable[[Any], frozenset[int]]
    """``ids(members)``: the live consumers."""
    views: Callable[[Any], tuple[frozenset[int], ...]]
    """``views(members)``: for each consumer, the ones that it saw in the group at its last rebalance."""
    flags: Mapping[str, Callable[[Rows], np.ndarray]] = field(default_factory=dict)
    """Properties of a queue's state by name, as functions of rows."""
    watches: tuple[Watch, ...] = ()
    right: Watch | None = None
    """A state that must not hold once the group has had time to agree; None if that is not examined."""
    rebalance: str = "rebalances"
    """The name of the move by which a consumer takes its share."""
    tick: str = ""
    """The name of the move by which time passes.

    If there is none, time is counted in rounds: in each round every live consumer takes its share at least once, in any
    order.
    """
