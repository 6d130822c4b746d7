"""The shortest way to two listeners on one queue: every state of two consumers, breadth first, in ticks of ten seconds.

A state is a row of small numbers; the actions are the terms that proofs are about, compiled.
"""

from dataclasses import fields, replace
from functools import cache

import numpy as np
import z3

from rebalance_proofs.model.ordered.actions import Act, OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import NOBODY, Consumer
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.ordered.circumstances import RESTART, TWIN, Circumstances
from rebalance_proofs.proofs.ordered.inductive import ACTIONS, can_wait
from rebalance_proofs.proofs.ordered.schedule import RESTARTS, Happens, Schedule, choices
from rebalance_proofs.proofs.ordered.variables import ME, NAMES, OTHER, SAID, limits_of, said_of, state_of, unknowns

__all__ = ["shortest"]

UNTOLD = ("granted_at", "released", "left", "twice")
"""What is for proofs alone, and what never is so."""
OWN = [field.name for field in fields(Consumer) if field.name not in ("client_id", *UNTOLD)]
"""A consumer's columns."""
TIMES = {"stamp": "present", "since": "runs", "answered_at": "answered", "adding_at": "adding", "due": "later"}
"""A time says something only where its flag is set."""
OLDEST, LATEST = -7, 3
"""Ticks: what is older than every limit need not be told apart; nothing is put off for longer."""
LIMIT = 30
"""Actions."""

Rows = np.ndarray
"""One state a row: the first consumer's columns, the second one's, holder and updated."""


@cache
def _kernel(act: Act, name: str, world: Circumstances) -> Kernel:
    v = unknowns()
    before = state_of(v)
    turn = act(before, said_of(v), limits_of(v))
    after = [getattr(turn.after.me, one) for one in OWN]
    return compile_kernel(
        NAMES,
        z3.And(turn.can, world.allows(name, before, limits_of(v))),
        *after,
        turn.after.lock.holder,
        turn.after.lock.updated,
    )


@cache
def _waiting(world: Circumstances) -> Kernel:
    v = unknowns()
    state, tick, limits = state_of(v), z3.IntVal(1), limits_of(v)
    return compile_kernel(NAMES, z3.And(can_wait(state, tick, limits), world.waits(state, tick, limits)))


def shortest(encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> Schedule | None:
    """The first schedule of the fewest actions after which both listeners run; None when there is none.

    ``limits`` are in ticks. Raises ``RuntimeError`` when the search has not ended after ``LIMIT`` actions.
    """
    return _Exploration(encoding, world, limits).schedule()


class _Exploration:
    def __init__(self, encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> None:
        self._encoding, self._world, self._limits = encoding, world, limits
        self._twins = not world.keeps(TWIN)
        # An entry whose pull is overdue goes as one does that is not the consumer's any more; two minutes are not told
        # apart here.
        self._moves = [
            Happens(who, name, said)
            for name in ACTIONS
            for said in choices(name)
            for who in (0, 1)
            if ("in_set", True) not in said
        ]
        self._moves += [] if world.keeps(RESTART) else [Happens(0, RESTARTS)]

    def schedule(self) -> Schedule | None:
        start = np.zeros((1, 2 * len(OWN) + 2), dtype=np.int8)
        level = self._later(_normal(start), np.full((1, 2), -2), np.zeros(0, dtype=np.int64))
        seen = np.sort(_packed(level[0]))
        trail = [level]
        for _ in range(LIMIT):
            rows, cause = self._next(trail[-1][0])
            fresh = _first(rows, seen)
            level = self._later(rows[fresh], cause[fresh], seen)
            if not len(level[0]):
                return None
            trail.append(level)
            seen = _with(seen, level[0])
            both = level[0][:, OWN.index("runs")] & level[0][:, len(OWN) + OWN.index("runs")]
            if both.any():
                return self._back(trail, int(np.flatnonzero(both)[0]))
        raise RuntimeError(f"two listeners: the search has not ended after {LIMIT} actions")

    def _next(self, rows: Rows) -> tuple[Rows, Rows]:
        """All states one action later, and from which row by which move."""
        found, causes = [], []
        for number, happens in enumerate(self._moves):
            after, rows_from = self._after(rows, happens)
            found.append(after)
            causes.append(np.column_stack([rows_from, np.full(len(rows_from), number)]))
        return _normal(np.concatenate(found)), np.concatenate(causes)

    def _after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        if happens.action == RESTARTS:
            after = rows.copy()
            after[:, -2] = NOBODY
            return after, np.arange(len(rows))
        kernel = _kernel(getattr(self._encoding, happens.action), happens.action, self._world)
        own = slice(len(OWN) * happens.who, len(OWN) * (happens.who + 1))
        columns = self._columns(rows, own, happens.who) | {name: int(value) for name, value in happens.said}
        can, *left = kernel(*(columns[name] for name in NAMES))
        possible = np.flatnonzero(np.broadcast_to(can, len(rows)))
        changed = rows[possible].copy()
        for place, column in enumerate(left):
            values = np.broadcast_to(column, len(rows))[possible]
            if place < len(OWN):
                changed[:, own.start + place] = values
            else:
                changed[:, 2 * len(OWN) + place - len(OWN)] = values
        changed[:, -2] = self._swapped(changed[:, -2], happens.who)
        return changed, possible

    def _columns(self, rows: Rows, own: slice, who: int) -> dict[str, Rows | int]:
        columns: dict[str, Rows | int] = dict(zip(OWN, rows[:, own].T, strict=True))
        lock = {"holder": self._swapped(rows[:, -2], who), "updated": rows[:, -1]}
        unused = dict.fromkeys(("now", *UNTOLD, *SAID), 0)
        return columns | lock | unused | vars(self._limits)

    def _swapped(self, holder: Rows, who: int) -> Rows:
        """Whoever acts is the first client id of the terms."""
        if self._twins or not who:
            return holder
        return np.where(holder == NOBODY, NOBODY, ME + OTHER - holder)

    def _later(self, rows: Rows, cause: Rows, seen: Rows) -> tuple[Rows, Rows]:
        """And all states that time alone leads to; a cause of -1 is a tick behind the row it names."""
        seen = _with(seen, rows)
        begin = 0
        while begin < len(rows):
            here = np.arange(begin, len(rows))
            may = np.ones(len(here), dtype=bool)
            for who in (0, 1):
                own = slice(len(OWN) * who, len(OWN) * (who + 1))
                columns = self._columns(rows[here], own, who)
                (can,) = _waiting(self._world)(*(columns[name] for name in NAMES))
                may &= np.broadcast_to(can, len(here))
            later = rows[here[may]].copy()
            for name in TIMES:
                for who in (0, 1):
                    later[:, who * len(OWN) + OWN.index(name)] -= 1
            later[:, -1] -= 1
            later = _normal(later)
            fresh = _first(later, seen)
            seen = _with(seen, later[fresh])
            ticks = np.column_stack([here[may][fresh], np.full(len(fresh), -1)])
            begin = len(rows)
            rows, cause = np.concatenate([rows, later[fresh]]), np.concatenate([cause, ticks])
        return rows, cause

    def _back(self, trail: list[tuple[Rows, Rows]], place: int) -> Schedule:
        found = []
        for _rows, cause in reversed(trail[1:]):
            while cause[place][1] == -1:
                place = int(cause[place][0])
            found.append(self._moves[int(cause[place][1])])
            place = int(cause[place][0])
        # The two are alike: whoever acts first is the first one.
        first = found[-1].who
        return tuple(replace(happens, who=happens.who ^ first) for happens in reversed(found))


def _normal(rows: Rows) -> Rows:
    """The same without what cannot be told apart by anything that comes."""
    rows = rows.copy()
    for who in (0, 1):
        for name, flag in TIMES.items():
            place = who * len(OWN) + OWN.index(name)
            told = rows[:, who * len(OWN) + OWN.index(flag)] != 0
            rows[:, place] = np.where(told, np.clip(rows[:, place], OLDEST, LATEST), 0)
    rows[:, -1] = np.where(rows[:, -2] == NOBODY, 0, np.clip(rows[:, -1], OLDEST, LATEST))
    return rows


def _packed(rows: Rows) -> Rows:
    """Each row as one number; a time and its flag are one digit."""
    packed = np.zeros(len(rows), dtype=np.int64)
    for who in (0, 1):
        for name in OWN:
            column = rows[:, who * len(OWN) + OWN.index(name)].astype(np.int64)
            if name in TIMES:
                flag = rows[:, who * len(OWN) + OWN.index(TIMES[name])]
                packed = packed * (LATEST - OLDEST + 2) + np.where(flag != 0, column - OLDEST + 1, 0)
            elif name not in TIMES.values():
                packed = packed * 2 + column
    holder, updated = rows[:, -2].astype(np.int64), rows[:, -1].astype(np.int64)
    told: Rows = (packed * 3 + holder) * (1 - OLDEST) - updated
    return told


def _first(rows: Rows, seen: Rows) -> Rows:
    """The places of the rows that are new, each once."""
    packed, places = np.unique(_packed(rows), return_index=True)
    if not len(seen):
        return np.sort(places)
    near = np.minimum(np.searchsorted(seen, packed), len(seen) - 1)
    return np.sort(places[seen[near] != packed])


def _with(seen: Rows, rows: Rows) -> Rows:
    """In order. NumPy's own union hashes, which takes many times as long."""
    return np.sort(np.concatenate([seen, _packed(rows)]), kind="stable")
