"""What there can be of a queue and of the members, each for itself: dense numbers, and tables of what comes next."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.keys import distinct, missing
from rebalance_proofs.spark_enum.explorer.model import Changed, Model, Rows
from rebalance_proofs.spark_enum.explorer.numbering import Numbering

__all__ = ["BITS", "IMPOSSIBLE", "Members", "Queue", "members_of", "queue_of", "require_bits"]

IMPOSSIBLE, UNKNOWN = -1, -2
"""In the place of what comes of an act: it cannot happen; or that was never asked, as no group does it then."""
BITS = 63
"""Of a group's number."""
MOST = 4_000_000
"""States of one queue, or of the members and what has passed, that tables are made for."""
TURNS = 10_000_000
"""Of a group that is explored, states of its members times moves: their tables take a few GB."""
MANY = 5
"""Queues, from which on it is worth while to look at one of them first."""


@dataclass(frozen=True)
class Queue:
    """All states that one queue can have in a group of this one queue: no other queue makes anything possible."""

    rows: Rows
    """The states; a state's place here is its number. The first one is how it begins."""
    after: dict[str, np.ndarray]
    """By act, the number of the state afterwards, ``IMPOSSIBLE`` or ``UNKNOWN``: both are negative."""
    flags: dict[str, np.ndarray]


@dataclass(frozen=True)
class Members:
    """All that the members can be."""

    states: list[Hashable]
    """The first one is how they begin."""
    after: list[list[tuple[int, Changed] | None]]
    """By move and state: the number of the state afterwards, and what comes with it."""


def require_bits(model: Model) -> None:
    """Raises ``UsageError`` where one of many queues makes a group too large: all tables would take long to make."""
    if model.queues >= MANY:
        one = replace(model, moves=[move for move in model.moves if move.queue in (None, 0)])
        queue_of(one, members_of(one), range(1))


def queue_of(model: Model, members: Members, queues: Sequence[int] = ()) -> Queue:
    """What there can be of any queue, or of these. Raises ``UsageError`` where there are too many states."""
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
    """By move that does something to the members or the queue: by members where it can happen, theirs afterwards, and
    the place of what happens to the queue among the names."""
    for turns in members.after:
        told = [turn[1].letters[queue] if turn else None for turn in turns]
        names = list(dict.fromkeys(told))
        places = {name: place for place, name in enumerate(names)}
        after = np.array([turn[0] if turn else -1 for turn in turns], dtype=np.int64)
        letters = np.array([places[name] for name in told], dtype=np.int16)
        if names != [None] or (after != np.arange(len(after)))[after >= 0].any():
            yield after, np.where(after >= 0, letters, np.int16(-1)), names


class _Tables:
    """What comes of each act, worked out where it is asked for."""

    def __init__(self, model: Model, members: int) -> None:
        self._model = model
        self._members = members
        self._rows = np.ascontiguousarray(model.begin, dtype=np.int8)
        self._numbers = {key: number for number, key in enumerate(_keys(self._rows))}
        self._after = {name: np.full(1, UNKNOWN, dtype=np.int32) for name in model.acts}

    def after(self, letter: str, numbers: np.ndarray) -> np.ndarray:
        """Of these states."""
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
            raise UsageError(f"one queue of the model {self._model.name} has more than {MOST:,} states")
        if Numbering(self._members, len(self._rows), self._model.queues).bits > BITS:
            raise UsageError(
                f"a group of the model {self._model.name} takes more than {BITS} bits, which are all there are: "
                f"{self._members:,} states of its members, and {len(self._rows):,} or more of each of "
                f"{self._model.queues} queues"
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
    """``begin``: what else they can be at first. Raises ``UsageError`` where there are too many states."""
    states = list(dict.fromkeys([model.members, *begin]))
    known = {state: number for number, state in enumerate(states)}
    after: list[list[tuple[int, Changed] | None]] = [[] for _ in model.moves]
    most = MOST if begin else TURNS // max(1, len(model.moves))
    # Of the moves of a queue there are many, and hardly any state of the members comes of them: they come last, as
    # too many states are noticed sooner then.
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
                f"{len(model.moves)} moves"
            )
    return Members(states, after)
