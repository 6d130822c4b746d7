"""Interface of a model of a whole group: its members, and the possible changes of a queue."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["DEADLOCK", "HAS", "RUNS", "Act", "Changed", "Model", "Move", "Rows", "Watch"]

Rows = np.ndarray
"""States of one queue, one per row, of type int8."""
HAS, RUNS = "has", "runs"
Act = Callable[[Rows], tuple[np.ndarray, Rows]]
"""Function: by row, whether the act is possible, and the successors where it is."""


@dataclass(frozen=True)
class Move:
    """An action of a group."""

    name: str
    who: int | None = None
    """The acting consumer, numbered from 0; None if there is none."""
    queue: int | None = None
    """The one queue that the move concerns; None if it can concern all."""
    fault: str = ""
    """Name of the fault that the move is; empty if it is not a fault."""
    change: bool = False
    """Whether the move changes the members of the group."""

    @property
    def daily(self) -> bool:
        """Whether the move happens without faults and without changes of the members."""
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
    """The effect of a move on the members and on each queue."""

    members: Hashable
    letters: tuple[str | None, ...]
    """By queue, its act; None for none. If one act is impossible, so is the move."""


@dataclass(frozen=True)
class Watch:
    """A target predicate: a state that must not be reached."""

    name: str
    sentence: str
    """A sentence about a state where the predicate holds."""
    wrong: Callable[[Any, int], str | None] | None
    """``wrong(members, queue)``: the name of the flag that this queue must not have; None if none.

    Without such a function, the predicate is that no move is possible.
    """
    claims: tuple[str, ...] = ()
    """Ids of claims that rule the predicate out for any number of consumers and queues.

    The model satisfies their assumptions. If one of them is expected to be PROVED, the predicate must never hold.
    """


DEADLOCK = Watch("deadlock", "No move is possible any more.", None)
"""Deadlock; a move that leaves the group unchanged counts as possible."""


@dataclass(frozen=True)
class Model:
    """A group: the members' state, which is hashable, and the states of several queues.

    The members' changes do not depend on the queues. Therefore states are small, and successors are found by table
    look-up: the states of the members and those of a queue are enumerated once, separately.
    """

    name: str
    sentence: str
    """A sentence about the modelled group."""
    queues: int
    columns: tuple[str, ...]
    """Names of the numbers in a queue's state."""
    begin: Rows
    """The initial state of a queue, as one row."""
    acts: Mapping[str, Act]
    """Possible changes of one queue: name -> act."""
    members: Hashable
    """The initial state of the members."""
    moves: Sequence[Move]
    after: Callable[[Any, Move], Changed | None]
    """``after(members, move)``: the effect of a move; None if it is impossible."""
    says: Mapping[str, str]
    """Sentences about moves by name, with ``{who}`` and ``{queue}``."""
    seen: Callable[[Mapping[str, int], int], str]
    """``seen(numbers, consumer)``: ``HAS`` for a queue in its table, ``RUNS`` for a running listener, else ``""``."""
    noted: Callable[[Mapping[str, int]], str]
    """``noted(numbers)``: the broker's data on a queue, in words."""
    ids: Callable[[Any], frozenset[int]]
    """``ids(members)``: the live consumers."""
    views: Callable[[Any], tuple[frozenset[int], ...]]
    """``views(members)``: for each consumer, the members in the answer at its last rebalance."""
    flags: Mapping[str, Callable[[Rows], np.ndarray]] = field(default_factory=dict)
    """Properties of a queue's state by name, as functions of rows."""
    watches: tuple[Watch, ...] = ()
    right: Watch | None = None
    """A state that must not hold once the group had time to agree; None if that is not examined."""
    rebalance: str = "rebalances"
    """Name of the move in which a consumer takes its share."""
    tick: str = ""
    """Name of the move in which time passes.

    If there is none, time is counted in rounds: in each round every live consumer takes its share at least once, in any
    order.
    """
