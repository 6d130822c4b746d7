"""Interface of an explorable model: a consumer group, and the possible changes of each queue."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

Rows = np.ndarray
"""States of one queue as an int8 array, one state per row."""
HAS, RUNS = "has", "runs"
Act = Callable[[Rows], tuple[np.ndarray, Rows]]
"""Function from a queue's states to two arrays: whether each allows the act; their successors."""


@dataclass(frozen=True)
class Move:
    """One possible action in a group."""

    name: str
    who: int | None = None
    """Number of the acting consumer, from 0; None if no consumer acts."""
    queue: int | None = None
    """The only queue that the move affects; None if it can affect all queues."""
    fault: str = ""
    """Name of the fault, if the move is a fault; otherwise empty."""
    change: bool = False
    """True if the move changes the group's members: a consumer joins, leaves or crashes."""

    @property
    def daily(self) -> bool:
        """True if the move needs neither a fault nor a change of the group's members."""
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
    """The effect of a move on the members' state and on each queue."""

    members: Hashable
    letters: tuple[str | None, ...]
    """For each queue, the name of the act that changes it; None if it does not change.

    If one of these acts is impossible, so is the move.
    """


@dataclass(frozen=True)
class Watch:
    """A target predicate: a bad state that the explorer searches for."""

    name: str
    sentence: str
    """A sentence that describes the bad state."""
    wrong: Callable[[Any, int], str | None] | None
    """``wrong(members, queue)``: name of the flag that this queue must not have.

    It returns None if the queue may have any flag. If ``wrong`` is missing, the bad state is a deadlock: no move is
    possible.
    """
    claims: tuple[str, ...] = ()
    """Ids of claims that exclude the bad state, for any number of consumers and queues.

    The model satisfies the claims' assumptions. If one of the claims is expected to be PROVED, exploration must never
    find the bad state.
    """


DEADLOCK = Watch("deadlock", "No move is possible any more.", None)
"""Deadlock. A move that leaves the group unchanged counts as possible."""


@dataclass(frozen=True)
class Model:
    """A group to explore: the hashable state of its members, and the state of each queue.

    The members' changes do not depend on the queues. Therefore the states of the members and those of one queue are
    enumerated separately, once. Successors of a whole group are then found by table look-up.
    """

    name: str
    sentence: str
    """A sentence that describes the modelled group."""
    queues: int
    columns: tuple[str, ...]
    """Names of the numbers that make up a queue's state."""
    begin: Rows
    """The initial state of a queue, as an array of one row."""
    acts: Mapping[str, Act]
    """Possible changes of one queue: name -> act."""
    members: Hashable
    """The initial state of the members."""
    moves: Sequence[Move]
    after: Callable[[Any, Move], Changed | None]
    """``after(members, move)``: the effect of a move; None if the move is impossible."""
    says: Mapping[str, str]
    """Sentences for traces, by the move's name, with the placeholders ``{who}`` and ``{queue}``."""
    seen: Callable[[Mapping[str, int], int], str]
    """``seen(numbers, consumer)``: the mark of a queue that a trace shows for a consumer.

    ``HAS`` if the consumer has a process queue for it, ``RUNS`` if its listener runs, otherwise ``""``.
    """
    noted: Callable[[Mapping[str, int]], str]
    """``noted(numbers)``: the broker's data on a queue, in words."""
    ids: Callable[[Any], frozenset[int]]
    """``ids(members)``: the numbers of the live consumers."""
    views: Callable[[Any], tuple[frozenset[int], ...]]
    """``views(members)``: for each consumer, the member list that its last rebalance used."""
    flags: Mapping[str, Callable[[Rows], np.ndarray]] = field(default_factory=dict)
    """Properties of a queue's state: name -> function from states to an array of booleans."""
    watches: tuple[Watch, ...] = ()
    right: Watch | None = None
    """Bad state that must be absent once the group had time to agree; None if not examined."""
    rebalance: str = "rebalances"
    """Name of the move in which a consumer rebalances."""
    tick: str = ""
    """Name of the move in which time passes.

    If a model has no such move, time is counted in rounds. In each round every live consumer rebalances at least once,
    in any order.
    """


# Direct evaluation of a model, one state at a time, without the tables that explorations use.


class State(NamedTuple):
    """A state of a group: the state of its members, and that of each queue."""

    members: Hashable
    queues: tuple[bytes, ...]
    """The state of each queue, as the bytes of its row."""


class Plain:
    """Successors of states, computed by the model's own functions; the results of acts are cached."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._after: dict[tuple[str, bytes], bytes | None] = {}

    @property
    def start(self) -> State:
        """Return the initial state."""
        return State(self.model.members, (self._key(self.model.begin),) * self.model.queues)

    @staticmethod
    def _key(row: np.ndarray) -> bytes:
        return np.ascontiguousarray(row, dtype=np.int8).tobytes()

    def numbers(self, row: bytes) -> dict[str, int]:
        """Return the numbers that make up a queue's state, by name."""
        return dict(zip(self.model.columns, np.frombuffer(row, dtype=np.int8).tolist(), strict=True))

    def act(self, letter: str, row: bytes) -> bytes | None:
        """Return a queue's state after an act; None if the act is impossible."""
        if (letter, row) not in self._after:
            can, then = self.model.acts[letter](np.frombuffer(row, dtype=np.int8).reshape(1, -1).copy())
            possible = bool(np.broadcast_to(can, 1)[0])
            self._after[letter, row] = self._key(then) if possible else None
        return self._after[letter, row]

    def after(self, state: State, move: Move) -> State | None:
        """Return the group's state after a move; None if the move is impossible."""
        changed: Any = self.model.after(state.members, move)
        if changed is None:
            return None
        queues = []
        for letter, row in zip(changed.letters, state.queues, strict=True):
            then = self.act(letter, row) if letter else row
            if then is None:
                return None
            queues.append(then)
        return State(changed.members, tuple(queues))

    def following(self, state: State) -> Iterator[tuple[Move, State]]:
        """Yield all possible moves in a state, with the states after them."""
        for move in self.model.moves:
            then = self.after(state, move)
            if then is not None:
                yield move, then
