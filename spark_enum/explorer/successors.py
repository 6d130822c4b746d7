"""What can come next of many groups: looked up, and once for all groups whose queues are alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rebalance_proofs.spark_enum.explorer.closure import IMPOSSIBLE, Members, Queue
from rebalance_proofs.spark_enum.explorer.model import Model
from rebalance_proofs.spark_enum.explorer.numbering import Numbering

__all__ = ["Edges", "Successors"]

Edges = list[tuple[np.ndarray, np.ndarray]]
"""The places of states, and for each of these places a state that can come next."""


@dataclass(frozen=True)
class _Alone:
    """What can happen to one queue alone, by its state: where each state's part begins, and how long it is."""

    begin: np.ndarray
    many: np.ndarray
    turn: np.ndarray
    """Which of ``_Turns`` it is."""
    change: np.ndarray
    """What the group's number changes by."""


@dataclass(frozen=True)
class _Turns:
    """Moves that concern one queue alone; one that can do several things to it is there for each of them."""

    move: np.ndarray
    lets: np.ndarray
    """By turn and members, one turn behind the other, whether the members let it happen."""


@dataclass(frozen=True)
class _Together:
    """A move that concerns the members, or several queues; it too is there for each thing that it can do to queues."""

    move: int
    change: np.ndarray
    """By members, what the group's number changes by, queues aside; ``Successors.never`` where it cannot happen."""
    acts: tuple[tuple[int, str], ...]
    """Queues to which something happens, and what."""


class Successors:
    """Of groups that are so numbered."""

    def __init__(self, model: Model, members: Members, queue: Queue, numbering: Numbering) -> None:
        self._members = members
        self._queue = queue
        self._numbering = numbering
        self._dtype = numbering.dtype
        self.never = np.iinfo(numbering.dtype).min
        """No group's number is as far from another one's."""
        self._strides = [numbering.dtype.type(stride) for stride in numbering.strides]
        moves = range(len(model.moves))
        concerned = [_queue_alone(members, move, model.moves[move].queue) for move in moves]
        self._alone, self._turns = self._of_a_queue(concerned)
        self._together = [one for move in moves if concerned[move] is None for one in self._of_all(move)]
        self._changes = {act: self._change(act) for act in {act for one in self._together for _, act in one.acts}}

    def stuck(self, members: np.ndarray, queues: list[np.ndarray]) -> np.ndarray:
        """The places of the states in which no move is possible: not even one that changes nothing."""
        places = np.flatnonzero(~self._always[members])
        for (kinds, table), numbers in zip(self._moves_alone, queues, strict=True):
            places = places[~table[kinds[members[places]], numbers[places]]]
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
        """By members, whether a move is possible however the queues can be then: that is so of nearly all of them.

        What was not worked out of an act is no state of a queue in which anybody asks for it."""
        found = np.zeros(len(self._members.states), dtype=bool)
        for group in self._together:
            if not any((self._queue.after[act] == IMPOSSIBLE).any() for _, act in group.acts):
                found |= group.change != self.never
        return found

    @cached_property
    def _moves_alone(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """By queue: members that let the same happen to it alone have one number; and by that number and the queue's,
        whether anything can."""
        lets = self._turns.lets.reshape(-1, len(self._members.states))
        found = []
        for alone in self._alone:
            own = np.unique(alone.turn)
            some, kinds = np.unique(lets[own], axis=1, return_inverse=True)
            rows = np.repeat(np.arange(len(alone.many)), alone.many)
            table = np.zeros((some.shape[1], len(alone.many)), dtype=bool)
            for let, can in zip(some.T, table, strict=True):
                can[rows[let[np.searchsorted(own, alone.turn)]]] = True
            found.append((kinds.reshape(-1), table))
        return found

    def _of_a_queue(self, concerned: list[int | None]) -> tuple[list[_Alone], _Turns]:
        own = np.arange(len(self._queue.rows))
        alone, moves, lets = [], [], []
        for queue, stride in enumerate(self._strides):
            can = [np.zeros((len(own), 0), dtype=bool)]
            changes, which = [np.zeros((len(own), 0), dtype=self._dtype)], []
            for move in (move for move, one in enumerate(concerned) if one == queue):
                turns = self._members.after[move]
                for letter in dict.fromkeys(turn[1].letters[queue] for turn in turns if turn):
                    after = self._queue.after[letter].astype(self._dtype) if letter else own
                    can.append((after >= 0)[:, None])
                    changes.append(((after - own).astype(self._dtype) * stride)[:, None])
                    which.append(len(moves))
                    moves.append(move)
                    lets.append([turn is not None and turn[1].letters[queue] == letter for turn in turns])
            some = np.concatenate(can, axis=1)
            many = some.sum(axis=1)
            turn = np.broadcast_to(np.array(which, dtype=np.int64), some.shape)[some]
            alone.append(_Alone(np.cumsum(many) - many, many, turn, np.concatenate(changes, axis=1)[some]))
        return alone, _Turns(np.array(moves, dtype=np.int64), np.array(lets, dtype=bool).ravel())

    def _of_all(self, move: int) -> Iterator[_Together]:
        turns = self._members.after[move]
        for letters in dict.fromkeys(turn[1].letters for turn in turns if turn):
            change = np.full(len(turns), self.never, dtype=self._dtype)
            for here, turn in enumerate(turns):
                if turn and turn[1].letters == letters:
                    change[here] = turn[0] - here
            yield _Together(move, change, tuple((queue, letter) for queue, letter in enumerate(letters) if letter))

    def _change(self, act: str) -> tuple[np.ndarray, np.ndarray | None]:
        """By a queue's state, what its number changes by, and whether the act can happen; None where it always can."""
        after = self._queue.after[act].astype(self._dtype)
        can = after >= 0
        return after - np.arange(len(after), dtype=self._dtype), None if can.all() else can

    def of(self, states: np.ndarray, counts: np.ndarray | None) -> Edges:
        """What can come next, with repetitions; how often each move can happen is added to ``counts``."""
        members = self._numbering.who(states)
        alike = _Alike.of(states - members)
        queues = self._numbering.of_queues(states[alike.begin])
        found = [self._after_one_queue(states, members, alike, queues, counts)]
        for group in self._together:
            change = group.change[members]
            rows = np.flatnonzero(change != self.never)
            if not len(rows):
                continue
            change = change[rows]
            if group.acts:
                place = alike.place[rows]
                done, can = self._done(group, queues)
                if can is not None:
                    some = np.flatnonzero(can[place])
                    rows, change, place = rows[some], change[some], place[some]
                change += done[place]
            if counts is not None:
                counts[group.move] += len(rows)
            change += states[rows]
            found.append((rows, change))
        return found

    def _done(self, group: _Together, queues: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray | None]:
        """What the queues change the number by, and whether the move can happen to them; None where it always can."""
        done, every = np.zeros(len(queues[0]), dtype=self._dtype), None
        for queue, act in group.acts:
            change, can = self._changes[act]
            done += change[queues[queue]] * self._strides[queue]
            if can is not None:
                every = can[queues[queue]] if every is None else every & can[queues[queue]]
        return done, every

    def _after_one_queue(
        self,
        states: np.ndarray,
        members: np.ndarray,
        alike: "_Alike",
        queues: list[np.ndarray],
        counts: np.ndarray | None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """What can happen to one queue alone, other than what leaves it as it is."""
        places, turns, changes = [], [], []
        for alone, numbers in zip(self._alone, queues, strict=True):
            many = alone.many[numbers]
            entries = _ranges(alone.begin[numbers], many)
            places.append(np.repeat(np.arange(len(many)), many))
            turns.append(alone.turn[entries])
            changes.append(alone.change[entries])
        place, turn = np.concatenate(places), np.concatenate(turns)
        many = alike.many[place]
        rows = _ranges(alike.begin[place], many)
        change = np.repeat(np.concatenate(changes), many)
        lets = self._turns.lets[np.repeat(turn * len(self._members.states), many) + members[rows]]
        if counts is not None and len(many):
            times = np.add.reduceat(lets, np.cumsum(many) - many, dtype=np.int64)
            np.add.at(counts, self._turns.move[turn], times)
        lets &= change != 0
        rows = rows[lets]
        return rows, states[rows] + change[lets]


@dataclass(frozen=True)
class _Alike:
    """Stretches of numbers that are the same."""

    begin: np.ndarray
    many: np.ndarray
    place: np.ndarray
    """By number, which stretch it is in."""

    @classmethod
    def of(cls, numbers: np.ndarray) -> "_Alike":
        begins = np.ones(len(numbers), dtype=bool)
        np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
        begin = np.flatnonzero(begins)
        return cls(begin, np.diff(begin, append=len(numbers)), np.cumsum(begins) - 1)


def _ranges(begin: np.ndarray, many: np.ndarray) -> np.ndarray:
    """So many numbers from each beginning on, one behind the other."""
    ends = np.cumsum(many)
    numbers = np.repeat(begin - ends + many, many)
    numbers += np.arange(len(numbers))
    return numbers


def _queue_alone(members: Members, move: int, queue: int | None) -> int | None:
    """The one queue that a move changes, and nothing else; None where there is more to it."""
    if queue is None:
        return None
    for here, turn in enumerate(members.after[move]):
        if turn and (turn[0] != here or any(turn[1].letters[:queue]) or any(turn[1].letters[queue + 1 :])):
            return None
    return queue
