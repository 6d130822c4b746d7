"""A model as tables: a state of the group is one number, and successors are found by look-up."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.closure import (
    BITS,
    IMPOSSIBLE,
    Members,
    Numbering,
    Queue,
    members_of,
    queue_of,
    require_bits,
)
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Watch

# Table of the moves that concern one queue only, by the members' and the queue's state.


class Refused(Enum):
    """Raised if the members' state does not permit an act."""

    REFUSED = auto()


@dataclass(frozen=True)
class Alone:
    """The table for one queue.

    States of the members that permit the same moves are of one kind, and share a part of the table.
    """

    kinds: np.ndarray | None
    """By state of the members, the offset of its kind in the tables; None if all are of one kind."""
    begin: np.ndarray
    """By kind and state of the queue, the index of the first move in ``change``."""
    many: np.ndarray
    """By kind and state of the queue, the number of possible moves."""
    move: np.ndarray
    change: np.ndarray
    """By move, the change of the number of the group's state."""

    def places(self, members: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return the index in ``begin`` and ``many`` for each pair of members' and queue's state."""
        return numbers if self.kinds is None else self.kinds[members] + numbers

    def moves(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of moves for each index, and the indexes of all these moves in ``change``."""
        many = self.many[places]
        ends = np.cumsum(many)
        found = np.repeat(self.begin[places] - ends + many, many)
        found += np.arange(len(found))
        return many, found


def alone(members: Members, queue: Queue, place: int, moves: Sequence[int], stride: np.signedinteger) -> Alone:
    """Return the table of the moves that concern only the queue with index ``place``.

    ``stride`` is the weight of the queue's number in the number of the group's state.
    """
    own = np.arange(len(queue.rows))
    letters = [[turn[1].letters[place] if turn else Refused.REFUSED for turn in members.after[move]] for move in moves]
    turns = [(at, one) for at, told in enumerate(letters) for one in dict.fromkeys(told) if one is not Refused.REFUSED]
    after = [queue.after[letter] if letter else own for _, letter in turns]
    can = np.array([one >= 0 for one in after], dtype=bool).reshape(-1, len(own)).T
    change = np.array([one - own for one in after], dtype=stride.dtype).reshape(-1, len(own)).T * stride
    move = np.broadcast_to(np.array([moves[at] for at, _ in turns], dtype=np.int64), can.shape)
    lets = np.array([[one == letter for one in letters[at]] for at, letter in turns], dtype=bool)
    some, kinds = np.unique(lets.reshape(-1, len(members.states)), axis=1, return_inverse=True)
    parts = [can & let for let in some.T]
    many = np.concatenate([part.sum(axis=1) for part in parts])
    return Alone(
        kinds.reshape(-1) * len(own) if len(parts) > 1 else None,
        np.cumsum(many) - many,
        many,
        np.concatenate([move[part] for part in parts]),
        np.concatenate([change[part] for part in parts]),
    )


# Successors of many states at once.
# The changes of queues are looked up once for all groups whose queues have the same states.


@dataclass(frozen=True)
class _Together:
    """Moves that concern the members or several queues and change the queues in the same way."""

    move: int
    change: np.ndarray
    """By state of the members, the change of the number; ``Successors.never`` if impossible."""
    acts: tuple[tuple[int, str], ...]
    """The queues that change, each with its act."""


class Successors:
    """Computes successors of a group's states, which are numbers (see ``Numbering``)."""

    def __init__(self, model: Model, members: Members, queue: Queue, numbering: Numbering) -> None:
        self._members = members
        self._queue = queue
        self._numbering = numbering
        self._dtype = numbering.dtype
        self.never = np.iinfo(numbering.dtype).min
        """A number that is no difference between two states, as a mark for impossible moves."""
        self._strides = [numbering.dtype.type(stride) for stride in numbering.strides]
        moves = range(len(model.moves))
        concerned = [_queue_alone(members, move, model.moves[move].queue) for move in moves]
        self._alone = [
            alone(members, queue, place, [move for move in moves if concerned[move] == place], stride)
            for place, stride in enumerate(self._strides)
        ]
        self._together = [one for move in moves if concerned[move] is None for one in self._of_all(move)]
        self._changes = {act: self._change(act) for act in {act for one in self._together for _, act in one.acts}}

    def stuck(self, members: np.ndarray, queues: list[np.ndarray]) -> np.ndarray:
        """Return the indexes of states in which no move is possible, not even one without effect."""
        places = np.flatnonzero(~self._always[members])
        for one, numbers in zip(self._alone, queues, strict=True):
            places = places[one.many[one.places(members[places], numbers[places])] == 0]
        for group in self._together if len(places) else ():
            can = group.change[members[places]] != self.never
            for queue, act in group.acts:
                possible = self._changes[act][1]
                if possible is not None:
                    can &= possible[queues[queue][places]]
            places = places[~can]
        return places

    @cached_property
    def _always(self) -> np.ndarray:
        """By state of the members, whether some move is always possible, which is usual.

        An act whose result was never computed for some state of a queue is not needed in that state.
        """
        found = np.zeros(len(self._members.states), dtype=bool)
        for group in self._together:
            if not any((self._queue.after[act] == IMPOSSIBLE).any() for _, act in group.acts):
                found |= group.change != self.never
        return found

    def _of_all(self, move: int) -> Iterator[_Together]:
        turns = self._members.after[move]
        for letters in dict.fromkeys(turn[1].letters for turn in turns if turn):
            change = np.full(len(turns), self.never, dtype=self._dtype)
            for here, turn in enumerate(turns):
                if turn and turn[1].letters == letters:
                    change[here] = turn[0] - here
            yield _Together(move, change, tuple((queue, letter) for queue, letter in enumerate(letters) if letter))

    def _change(self, act: str) -> tuple[np.ndarray, np.ndarray | None]:
        """Return, by state of a queue, how an act changes its number, and whether it is possible.

        The second result is None if the act is always possible.
        """
        after = self._queue.after[act].astype(self._dtype)
        can = after >= 0
        return after - np.arange(len(after), dtype=self._dtype), None if can.all() else can

    def of(self, states: np.ndarray, counts: np.ndarray | None) -> list[np.ndarray]:
        """Return the successors of the states, with repetitions.

        ``counts`` is increased by the number of possible moves.
        """
        members, alike, queues = self._parts(states)
        found = [
            np.repeat(states, many) + change for many, change in self._after_one_queue(members, alike, queues, counts)
        ]
        for lets, after in self._after_all(states, members, alike, queues, counts):
            found.append(after[lets])
        return found

    def _parts(self, states: np.ndarray) -> tuple[np.ndarray, "_Alike", list[np.ndarray]]:
        """Return members' numbers, runs of states with the same queues, and each run's queue numbers."""
        members = self._numbering.who(states)
        alike = _Alike.of(states - members)
        return members.astype(np.intp), alike, self._numbering.of_queues(states[alike.begin])

    def _after_one_queue(
        self, members: np.ndarray, alike: "_Alike", queues: list[np.ndarray], counts: np.ndarray | None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield for each queue two arrays about the moves that change only this queue.

        The first has the number of such moves in each state; the second has the change of the state's number for each
        of these moves.
        """
        for one, numbers in zip(self._alone, queues, strict=True):
            many, moves = one.moves(one.places(members, np.repeat(numbers, alike.many)))
            if counts is not None:
                counts += np.bincount(one.move[moves], minlength=len(counts))
            yield many, one.change[moves]

    def _after_all(
        self,
        states: np.ndarray,
        members: np.ndarray,
        alike: "_Alike",
        queues: list[np.ndarray],
        counts: np.ndarray | None,
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield for each other move: whether it is possible in each state; successors where it is."""
        for group in self._together:
            after = group.change.take(members)
            lets = after != self.never
            after += states
            if group.acts:
                done, can = self._done(group, queues)
                after += np.repeat(done, alike.many)
                if can is not None:
                    lets &= np.repeat(can, alike.many)
            if counts is not None:
                counts[group.move] += np.count_nonzero(lets)
            yield lets, after

    def _done(self, group: _Together, queues: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray | None]:
        """Return how acts of queues change the state's number, and whether the acts are possible.

        The second result is None if they are always possible.
        """
        done, every = np.zeros(len(queues[0]), dtype=self._dtype), None
        for queue, act in group.acts:
            change, can = self._changes[act]
            done += change[queues[queue]] * self._strides[queue]
            if can is not None:
                every = can[queues[queue]] if every is None else every & can[queues[queue]]
        return done, every


@dataclass(frozen=True)
class _Alike:
    """Runs of equal numbers in an array: the first index and the length of each run."""

    begin: np.ndarray
    many: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray) -> "_Alike":
        begins = np.ones(len(numbers), dtype=bool)
        np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
        begin = np.flatnonzero(begins)
        return cls(begin, np.diff(begin, append=len(numbers)))


def _queue_alone(members: Members, move: int, queue: int | None) -> int | None:
    """Return the queue that a move changes; None if it also changes the members or another queue."""
    if queue is None:
        return None
    for here, turn in enumerate(members.after[move]):
        if turn and (turn[0] != here or any(turn[1].letters[:queue]) or any(turn[1].letters[queue + 1 :])):
            return None
    return queue


States = np.ndarray
"""Array of states of the group, one number each (``Numbering``).

In sorted arrays, groups whose queues have the same states are next to each other. The changes of these queues are
looked up once for all of them, and many successors differ only in their members.
"""


class Product:
    """A model with its tables: the states of the members combined with those of each queue.

    Raises ``UsageError`` if a state of the group does not fit into 63 bits. ``begin``: initial states of the members
    besides the model's. ``queue``: the states of a queue, if they are already known.
    """

    def __init__(self, model: Model, begin: Sequence[Hashable] = (), queue: Queue | None = None) -> None:
        self.model = model
        if queue is None:
            require_bits(model)
        self.members: Members = members_of(model, begin)
        self.queue: Queue = queue or queue_of(model, self.members)
        self.numbering = Numbering(len(self.members.states), len(self.queue.rows), model.queues)
        if self.numbering.bits > BITS:
            raise UsageError(
                f"the group of the model {model.name} is too large, because a state needs {self.numbering.bits} bits, "
                f"more than {BITS} ({len(self.members.states):,} states of members, and {len(self.queue.rows):,} of "
                f"each of {model.queues} queues); explore a smaller group"
            )
        self._next = Successors(model, self.members, self.queue, self.numbering)

    @property
    def start(self) -> int:
        """The number of the initial state."""
        return 0

    def parts(self, states: States) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the numbers of the members' states, and of the states of each queue."""
        return self.numbering.who(states), self.numbering.of_queues(states)

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> States:
        """Return the group's states that combine these numbers, like those from ``parts``."""
        return self.numbering.whole(members, queues)

    def group(self, state: int) -> tuple[Any, list[dict[str, int]]]:
        """Return the members' state, and for each queue the numbers that make up its state, by name."""
        members, queues = self.numbering.of_one(state)
        rows = [self.queue.rows[number].tolist() for number in queues]
        return self.members.states[members], [dict(zip(self.model.columns, row, strict=True)) for row in rows]

    def following(self, state: int) -> Iterator[tuple[Move, int]]:
        """Yield the possible moves in a state, with the numbers of the states after them."""
        members, queues = self.numbering.of_one(state)
        for move, turns in zip(self.moves, self.members.after, strict=True):
            turn = turns[members]
            if turn is None:
                continue
            after = turn[0]
            for letter, number, stride in zip(turn[1].letters, queues, self.numbering.strides, strict=True):
                one = int(self.queue.after[letter][number]) if letter else number
                if one < 0:
                    break
                after += one * stride
            else:
                yield move, after

    def successors(self, states: States, counts: np.ndarray | None = None) -> list[States]:
        """Return the successors of states, with repetitions, in several arrays.

        A state that a move leaves unchanged may be missing. ``counts`` is increased by the number of possible moves,
        including moves without effect. The call is fastest for sorted states.
        """
        return self._next.of(states, counts)

    def wrong(self, states: States) -> dict[str, States]:
        """Return the bad states (watches) among these states: name -> states in which it holds.

        A bad state that does not occur has no entry.
        """
        if not self.model.watches or not len(states):
            return {}
        members, queues = self.parts(states)
        found = {}
        for name, by_queue in self._watched.items():
            bad = np.zeros(len(states), dtype=bool)
            for numbers, (kinds, table) in zip(queues, by_queue, strict=True):
                bad |= table[numbers] if kinds is None else table[kinds[members] + numbers]
            if bad.any():
                found[name] = states[bad]
        for name in (watch.name for watch in self.model.watches if not watch.wrong):
            stuck = self._next.stuck(members, queues)
            if len(stuck):
                found[name] = states[stuck]
        return found

    @cached_property
    def _watched(self) -> dict[str, list[tuple[np.ndarray | None, np.ndarray]]]:
        """Lookup tables for each bad state (watch), by name: one entry for each queue.

        An entry has offsets by state of the members (None: all 0), and a table by the offset plus the queue's number.
        """
        return {
            watch.name: [self._watch(watch, queue) for queue in range(self.model.queues)]
            for watch in self.model.watches
            if watch.wrong
        }

    def _watch(self, watch: Watch, queue: int) -> tuple[np.ndarray | None, np.ndarray]:
        assert watch.wrong
        names = [watch.wrong(members, queue) for members in self.members.states]
        place = {name: number for number, name in enumerate(dict.fromkeys(names))}
        never = np.zeros(len(self.queue.rows), dtype=bool)
        table = np.concatenate([self.queue.flags[name] if name else never for name in place])
        return None if len(place) == 1 else np.array([place[name] * len(never) for name in names]), table

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self.model.moves)
