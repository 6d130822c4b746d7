"""Reachable states of one queue, and of the members, enumerated separately.

States get consecutive numbers; transition tables map a state's number to the number of its successor.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.model import Changed, Model, Rows
from rebalance_proofs.spark_enum.explorer.store import Parted, distinct, held_in, missing

# Numbering of a group's states: a number combines those of queues' and members' states.

NEAR = 3
"""Extra low bits that do not influence a state's part (``Parted``).

Groups whose queues have the same states differ in low bits only. With these bits, at most about one in 2**NEAR sets of
such groups is divided between parts.
"""


@dataclass(frozen=True)
class Numbering:
    """Numbers of a group's states as mixed-radix numerals.

    The most significant digit is the first queue's state, and the least significant is the members' state. No number is
    left out, so that a state needs few bits.
    """

    members: int
    """Number of states that the members can have."""
    rows: int
    """Number of states that each queue can have."""
    queues: int

    @property
    def numbers(self) -> int:
        """Number of possible numbers, including those of unreachable states."""
        numbers: int = self.members * self.rows**self.queues
        return numbers

    @property
    def bits(self) -> int:
        return max(1, (self.numbers - 1).bit_length())

    @cached_property
    def dtype(self) -> np.dtype:
        """NumPy type of the numbers."""
        return held_in(self.bits)

    @cached_property
    def strides(self) -> list[int]:
        """For each queue, the weight of its state's number in the number of the group's state."""
        return [self.members * self.rows**below for below in reversed(range(self.queues))]

    def order(self, parts: int) -> Parted:
        """Return the keys in ``parts`` parts, or in fewer parts if there are fewer numbers."""
        return Parted(self.bits, (self.members - 1).bit_length() + NEAR, min(parts, 1 << self.bits))

    @property
    def as_they_are(self) -> Parted:
        """Return a division into a single part, in which the keys are the numbers of the states."""
        return Parted(self.bits, self.bits, 1)

    def who(self, groups: np.ndarray) -> np.ndarray:
        """Return the numbers of the members' states, for these states of the group."""
        # NumPy is much slower with remainders
        found: np.ndarray = groups - groups // self.dtype.type(self.members) * self.dtype.type(self.members)
        return found

    def of_queues(self, groups: np.ndarray) -> list[np.ndarray]:
        """Return, for each queue, the numbers of its states, for these states of the group."""
        found, above = [], groups // self.dtype.type(self.members)
        for _ in range(self.queues):
            groups, above = above, above // self.dtype.type(self.rows)
            found.append(groups - above * self.dtype.type(self.rows))
        return found[::-1]

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> np.ndarray:
        """Return the states of the group that combine these states of the members and of the queues."""
        groups = members.astype(self.dtype)
        for numbers, stride in zip(queues, self.strides, strict=True):
            groups += numbers.astype(self.dtype) * self.dtype.type(stride)
        return groups

    def of_one(self, group: int) -> tuple[int, list[int]]:
        """Return the number of the members' state, and of each queue's, for one state of the group."""
        above, members = divmod(group, self.members)
        found = []
        for _ in range(self.queues):
            above, number = divmod(above, self.rows)
            found.append(number)
        return members, found[::-1]


IMPOSSIBLE, UNKNOWN = -1, -2
"""Table values for a missing successor: the act is impossible, or its result was never needed."""
BITS = 63
"""Largest number of bits in the number of a group's state."""
MOST = 4_000_000
"""Largest number of states for which tables are made: of one queue, or of the members."""
TURNS = 10_000_000
"""Largest product of members' states and moves; tables of this size take a few GB."""
MANY = 5
"""Number of queues from which one queue is explored first, to reject a too large group early."""


@dataclass(frozen=True)
class Queue:
    """All states that one queue can have, explored in a group with only this queue.

    Other queues do not make further states possible.
    """

    rows: Rows
    """The states; the row index is the state's number. The first state is the initial one."""
    after: dict[str, np.ndarray]
    """By act and number of a state, the number of the successor.

    ``IMPOSSIBLE`` or ``UNKNOWN``, which are negative, if there is none.
    """
    flags: dict[str, np.ndarray]


@dataclass(frozen=True)
class Members:
    """All states that the members can have."""

    states: list[Hashable]
    """The states; the index is the state's number. The first state is the initial one."""
    after: list[list[tuple[int, Changed] | None]]
    """By move and number of a state: the successor's number, and the act of each queue.

    None if the move is impossible.
    """


def require_bits(model: Model) -> None:
    """Raise ``UsageError`` if one of many queues already makes the group too large.

    This is checked before all tables are made.
    """
    if model.queues >= MANY:
        one = replace(model, moves=[move for move in model.moves if move.queue in (None, 0)])
        queue_of(one, members_of(one), range(1))


def queue_of(model: Model, members: Members, queues: Sequence[int] = ()) -> Queue:
    """Return all states that any of these queues can reach (default: all queues).

    Raises ``UsageError`` if there are too many states.
    """
    many = len(members.states)
    tables = _Tables(model, many)
    for queue in queues or range(model.queues):
        moves = list(_moves(members, queue))
        pairs = np.zeros(1, dtype=np.int64)
        seen = pairs
        while len(pairs):
            places, numbers = pairs % many, pairs // many
            found = []
            for after, letters, names in moves:
                then, which = after[places], letters[places]
                for letter in distinct(which[which >= 0]).tolist():
                    at = np.flatnonzero(which == letter)
                    own = tables.after(names[letter], numbers[at]) if names[letter] else numbers[at]
                    found.append((own * many + then[at])[own >= 0])
            pairs = distinct(np.concatenate([pairs[:0], *found]))
            pairs = pairs[missing(pairs, seen)]
            seen = np.sort(np.concatenate([seen, pairs]))
    return tables.queue()


def _moves(members: Members, queue: int) -> Iterator[tuple[np.ndarray, np.ndarray, list[str | None]]]:
    """Yield the moves that change the members or the queue, each with three parts.

    The parts are: for each state of the members, the number of its successor, or -1; for each state of the members, an
    index into the act names; and the act names, where None means no act.
    """
    for turns in members.after:
        told = [turn[1].letters[queue] if turn else None for turn in turns]
        names = list(dict.fromkeys(told))
        places = {name: place for place, name in enumerate(names)}
        after = np.array([turn[0] if turn else -1 for turn in turns], dtype=np.int64)
        letters = np.array([places[name] for name in told], dtype=np.int16)
        if names != [None] or (after != np.arange(len(after)))[after >= 0].any():
            yield after, np.where(after >= 0, letters, np.int16(-1)), names


class _Tables:
    """Transition tables of a queue, filled on demand."""

    def __init__(self, model: Model, members: int) -> None:
        self._model = model
        self._members = members
        self._rows = np.ascontiguousarray(model.begin, dtype=np.int8)
        self._numbers = {key: number for number, key in enumerate(_keys(self._rows))}
        self._after = {name: np.full(1, UNKNOWN, dtype=np.int32) for name in model.acts}

    def after(self, letter: str, numbers: np.ndarray) -> np.ndarray:
        """Return the numbers of the successors of these states under the act named ``letter``."""
        table = self._after[letter]
        if len(table) < len(self._rows):
            more = np.full(len(self._rows) * 2 - len(table), UNKNOWN, dtype=np.int32)
            table = self._after[letter] = np.concatenate([table, more])
        new = distinct(numbers[table[numbers] == UNKNOWN])
        if len(new):
            table[new] = self._worked_out(letter, self._rows[new])
        after: np.ndarray = table[numbers].astype(np.int64)
        return after

    def _worked_out(self, letter: str, rows: Rows) -> np.ndarray:
        can, then = self._model.acts[letter](rows)
        can = np.broadcast_to(can, len(rows)).astype(bool)
        then = np.ascontiguousarray(then[can], dtype=np.int8)
        known = len(self._numbers)
        found = np.full(len(rows), IMPOSSIBLE, dtype=np.int32)
        found[can] = [self._numbers.setdefault(key, len(self._numbers)) for key in _keys(then)]
        fresh, places = np.unique(found[can], return_index=True)
        self._rows = np.concatenate([self._rows, then[places[fresh >= known]]])
        if len(self._rows) > MOST:
            raise UsageError(
                f"one queue of the model {self._model.name} has more than {MOST:,} states; explore a smaller group"
            )
        if Numbering(self._members, len(self._rows), self._model.queues).bits > BITS:
            raise UsageError(
                f"the group of the model {self._model.name} is too large, because a state needs more than {BITS} bits "
                f"({self._members:,} states of members, and {len(self._rows):,} or more of each of "
                f"{self._model.queues} queues); explore a smaller group"
            )
        return found

    def queue(self) -> Queue:
        rows, many = self._rows, len(self._rows)
        after = {}
        for name, table in self._after.items():
            after[name] = np.full(many, UNKNOWN, dtype=np.int32)
            after[name][: len(table)] = table[:many]
        flags = {name: np.broadcast_to(flag(rows), many).astype(bool) for name, flag in self._model.flags.items()}
        return Queue(rows, after, flags)


def _keys(rows: Rows) -> list[bytes]:
    keys: list[bytes] = rows.view(f"V{rows.shape[1]}").ravel().tolist()
    return keys


def members_of(model: Model, begin: Sequence[Hashable] = ()) -> Members:
    """Return all states of the members; ``begin``: initial states besides that of the model.

    Raises ``UsageError`` if there are too many states.
    """
    states = list(dict.fromkeys([model.members, *begin]))
    known = {state: number for number, state in enumerate(states)}
    after: list[list[tuple[int, Changed] | None]] = [[] for _ in model.moves]
    most = MOST if begin else TURNS // max(1, len(model.moves))
    # Moves of single queues are many and rarely lead to a new state of the members. They come last, so that too many
    # states are noticed sooner.
    halves: tuple[list[int], list[int]] = ([], [])
    for place, move in enumerate(model.moves):
        halves[move.queue is not None].append(place)
    done = [0, 0]
    while min(done) < len(states):
        half = int(done[0] == len(states))
        number = done[half]
        here, done[half] = states[number], number + 1
        for place in halves[half]:
            changed = model.after(here, model.moves[place])
            if changed is None:
                after[place].append(None)
                continue
            then = number if changed.members is here else known.setdefault(changed.members, len(states))
            if then == len(states):
                states.append(changed.members)
            after[place].append((then, changed))
        if len(states) > most:
            raise UsageError(
                f"the members of the model {model.name} have more than {most:,} states, too many for tables of "
                f"{len(model.moves)} moves; explore a smaller group"
            )
    return Members(states, after)
