"""Successors of many states at once.

The changes of queues are looked up once for all groups whose queues have the same states.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rebalance_proofs.spark_enum.explorer.alone import alone
from rebalance_proofs.spark_enum.explorer.closure import IMPOSSIBLE, Members, Queue
from rebalance_proofs.spark_enum.explorer.model import Model
from rebalance_proofs.spark_enum.explorer.numbering import Numbering


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
