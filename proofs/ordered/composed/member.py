"""All states of one member of a group, as seen from one queue, compiled to tables of successors.

A member's state is its case of the queue (``queue``), its status (running, registered, frozen, gone), and the ticks
since its last rebalance, its last renewal and the last pull of a dropped process queue.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from rebalance_proofs.proofs.breadth_first import Rows, first, together
from rebalance_proofs.proofs.ordered.composed.queue import (
    COLUMNS,
    DELAYED,
    DROPPED,
    DUE,
    LATER,
    LOCKS,
    PRESENT,
    STAMP,
    Part,
    Queue,
)
from rebalance_proofs.proofs.ordered.pauses import OVERDUE, PERIOD, SOON

ABSENT, LIVE = 0, 1
UNREGISTERED = 2
"""Running, and unknown to the broker."""
REGISTERS, RETURNS = 3, 6
"""Longest times in ticks until a member registers: by a heartbeat; after a broker's return, by a route poll before."""
MUTE = UNREGISTERED + 1
"""First status of a member whose host is lost; the status minus this is the number of ticks since then."""
UNHEARD, LOST = 9, 13
"""Ticks without a heartbeat after which the broker may remove a member, and at the latest does (90 s, 130 s)."""
STOPPED = MUTE + LOST + 1
"""First status of a frozen member; the status minus this is the number of ticks since then."""
FORGOTTEN = STOPPED + LOST + 1
"""Status of a frozen member that the broker has removed."""
STATUS, REBALANCED, RENEWED, PULLED, HURRIES = range(len(COLUMNS), len(COLUMNS) + 5)
_SPANS = (2, 2, 2, 9, 2, 2, 6, FORGOTTEN + 1, PERIOD + 1, PERIOD + 1, OVERDUE + 1, 2)
NEVER = -1
"""Stands for an impossible move."""


@dataclass(frozen=True)
class Table:
    """One move: member state x lock -> successor (``NEVER`` if impossible) and effect on the lock."""

    after: Rows
    effect: Rows


@dataclass
class Members:
    """The states of a member, and its moves."""

    queue: Queue
    rows: Rows = field(init=False)
    moves: Mapping[str, Table] = field(init=False)
    """Moves that depend on the lock, or change it."""
    changes: Mapping[str, Rows] = field(init=False)
    """Moves that do not: state -> successor, or ``NEVER``."""

    def __post_init__(self) -> None:
        self._gives = {f"gives{place}": move for place, move in enumerate(self.queue.gives())}
        self._leaves = {f"leaves{place}": move for place, move in enumerate(self.queue.leaves())}
        rows = np.zeros((1, len(_SPANS)), dtype=np.int64)
        rows = np.concatenate([rows, self._joined(rows, LIVE)])
        keys = self._keys(rows)
        found, seen = [(rows, keys)], np.sort(keys)
        parts: dict[str, list[tuple[Rows, Rows, Rows, Rows]]] = {}
        changed: dict[str, list[tuple[Rows, Rows]]] = {}
        while len(rows):
            nexts = []
            for name, places, locks, after, effects in self._locked(rows):
                parts.setdefault(name, []).append((keys[places], locks, self._keys(after), effects))
                nexts.append(after)
            for name, places, after in self._changed(rows):
                changed.setdefault(name, []).append((keys[places], self._keys(after)))
                nexts.append(after)
            every = np.concatenate(nexts)
            reached = self._keys(every)
            fresh = first(reached, seen)
            rows, keys = every[fresh], reached[fresh]
            seen = together(seen, keys)
            found.append((rows, keys))
        order = np.argsort(np.concatenate([one[1] for one in found]))
        self.rows = np.concatenate([one[0] for one in found])[order]
        self.moves = {name: self._table(of, seen) for name, of in parts.items()}
        self.changes = {name: self._map(of, seen) for name, of in changed.items()}
        status = self.rows[:, STATUS]
        self.blank = (status == ABSENT) & (self.rows[:, LATER] == 0)
        self.live = status == LIVE
        self.runs = (status >= LIVE) & (status < MUTE)
        self.unregistered = status == UNREGISTERED
        self.registered = self.live | ((status >= MUTE) & (status < FORGOTTEN))
        self.works = self.live & self.queue.works(self.rows)

    def words(self, name: str) -> str:
        """Return a move in words."""
        if name in self._gives:
            return f"rebalances, and {self._gives[name].name}"
        return self._leaves[name].name if name in self._leaves else WORDS[name]

    def parts(self, name: str) -> tuple[Part, ...]:
        """Return the machine actions of a move that gives up the queue."""
        return (self._gives | self._leaves)[name].parts

    @staticmethod
    def _keys(rows: Rows) -> Rows:
        keys = np.zeros(len(rows), dtype=np.int64)
        for place, (column, span) in enumerate(zip(rows.T, _SPANS, strict=True)):
            keys = keys * span + (-column if place == STAMP else column)
        return keys

    @staticmethod
    def _joined(rows: Rows, status: int) -> Rows:
        after = np.zeros_like(rows)
        after[:, STATUS] = status
        return after

    def _table(self, parts: list[tuple[Rows, Rows, Rows, Rows]], seen: Rows) -> Table:
        after = np.full((len(seen), LOCKS), NEVER, dtype=np.int32)
        effect = np.zeros((len(seen), LOCKS), dtype=np.int8)
        for keys, locks, reached, effects in parts:
            places = np.searchsorted(seen, keys)
            after[places, locks] = np.searchsorted(seen, reached)
            effect[places, locks] = effects
        return Table(after, effect)

    def _map(self, parts: list[tuple[Rows, Rows]], seen: Rows) -> Rows:
        after = np.full(len(seen), NEVER, dtype=np.int32)
        for keys, reached in parts:
            after[np.searchsorted(seen, keys)] = np.searchsorted(seen, reached)
        return after

    def _normal(self, rows: Rows) -> Rows:
        """Set times that do not matter to 0."""
        status = rows[:, STATUS]
        running = (status >= LIVE) & (status < MUTE)
        frozen = status >= STOPPED
        rows[:, REBALANCED] = np.where(running, np.minimum(rows[:, REBALANCED], PERIOD), 0)
        listed = running & self.queue.listed(rows)
        rows[:, RENEWED] = np.where(listed, np.minimum(rows[:, RENEWED], PERIOD), 0)
        dropped = (running | frozen) & (rows[:, DROPPED] != 0)
        rows[:, PULLED] = np.where(dropped, np.minimum(rows[:, PULLED], OVERDUE), 0)
        rows[:, HURRIES] = np.where(running & ~self.queue.works(rows), rows[:, HURRIES], 0)
        return rows

    def _locked(self, rows: Rows) -> Iterator[tuple[str, Rows, Rows, Rows, Rows]]:
        """Yield (name, indexes of rows, locks, states after, effects) of moves that depend on the lock."""
        places, locks = (grid.ravel() for grid in np.meshgrid(np.arange(len(rows)), np.arange(LOCKS), indexing="ij"))
        status = rows[places, STATUS]
        running, live = (status >= LIVE) & (status < MUTE), status == LIVE

        def of(these: Rows) -> tuple[Rows, Rows, Rows]:
            return places[these], rows[places[these]], locks[these]

        at, before, lock = of(live)
        overdue = (before[:, DROPPED] != 0) & (before[:, PULLED] >= OVERDUE)
        for _, cases, effects, origin in self.queue.takes(before[:, : len(COLUMNS)], lock, overdue):
            after = self._with(before[origin], cases, REBALANCED)
            present, dropped = after[:, PRESENT] != 0, after[:, DROPPED] != 0
            after[:, PULLED] = np.where(dropped, before[origin, PULLED], 0)
            after[:, HURRIES] = (~present & self.queue.denied_hurries) | (dropped & self.queue.unbalanced_hurries)
            yield "takes", at[origin], lock[origin], self._normal(after), effects
        at, before, lock = of(running)
        for name, move in self._gives.items():
            cases, effects, origin = self.queue.done(move, before[:, : len(COLUMNS)], lock)
            after = self._with(before[origin], cases, REBALANCED)
            after[:, HURRIES] = 0
            yield name, at[origin], lock[origin], self._normal(after), effects
        none = before[:, PRESENT] == 0
        after = self._with(before[none], before[none][:, : len(COLUMNS)], REBALANCED)
        after[:, HURRIES] = 0
        yield "has-none", at[none], lock[none], self._normal(after), np.zeros(none.sum(), dtype=np.int64)
        for _, cases, effects, origin in self.queue.renews(before[:, : len(COLUMNS)], lock):
            yield "renews", at[origin], lock[origin], self._normal(self._with(before[origin], cases, RENEWED)), effects
        at, before, lock = of(running | (status == ABSENT))
        cases, effects, origin = self.queue.done(DELAYED, before[:, : len(COLUMNS)], lock)
        yield "sends_unlock", at[origin], lock[origin], self._normal(self._with(before[origin], cases)), effects
        at, before, lock = of(running)
        for name, move in self._leaves.items():
            cases, effects, origin = self.queue.done(move, before[:, : len(COLUMNS)], lock)
            after = self._with(before[origin], cases)
            after[:, STATUS] = ABSENT
            yield name, at[origin], lock[origin], self._normal(after), effects

    @staticmethod
    def _with(before: Rows, cases: Rows, age: int | None = None) -> Rows:
        after = before.copy()
        after[:, : len(COLUMNS)] = cases
        if age is not None:
            after[:, age] = 0
        return after

    def _changed(self, rows: Rows) -> Iterator[tuple[str, Rows, Rows]]:
        """Yield (name, indexes of rows, states after) of moves that do not depend on the lock."""
        status = rows[:, STATUS]
        running, live = (status >= LIVE) & (status < MUTE), status == LIVE
        unregistered = running & ~live
        mute, frozen = (status >= MUTE) & (status < STOPPED), (status >= STOPPED) & (status < FORGOTTEN)
        blank = (status == ABSENT) & (rows[:, LATER] == 0)

        def moved(these: Rows, change: Callable[[Rows], object]) -> tuple[Rows, Rows]:
            places = np.flatnonzero(these)
            after = rows[places].copy()
            change(after)
            return places, self._normal(after)

        def to(value: int, *, clear: bool = False) -> Callable[[Rows], object]:
            def change(after: Rows) -> None:
                if clear:
                    after[:] = 0
                after[:, STATUS] = value

            return change

        def ages(value: int) -> Callable[[Rows], object]:
            def change(after: Rows) -> None:
                after[:, [REBALANCED, RENEWED]] = value

            return change

        def both(*every: Callable[[Rows], object]) -> Callable[[Rows], object]:
            return lambda after: [change(after) for change in every]

        def forget(after: Rows) -> None:
            after[:, [LATER, DUE]] = 0

        yield "idles", *moved(running, lambda after: after.__setitem__((slice(None), REBALANCED), 0))
        yield "exits", *moved((status == ABSENT) & (rows[:, LATER] != 0), to(ABSENT, clear=True))
        yield "loses its unlock", *moved(running & (rows[:, LATER] != 0) & (rows[:, DUE] <= 0), forget)
        yield "crashes", *moved(running | frozen | (status == FORGOTTEN), to(ABSENT, clear=True))
        yield "vanishes", *moved(live, to(MUTE, clear=True))
        yield "stops", *moved(live, to(STOPPED))
        yield "stops unregistered", *moved(unregistered, to(FORGOTTEN))
        yield "resumes", *moved(frozen, both(to(LIVE), ages(PERIOD)))
        yield "resumes forgotten", *moved(status == FORGOTTEN, both(to(UNREGISTERED), ages(PERIOD)))
        yield "joins", *moved(blank, to(LIVE))
        yield "joins later", *moved(blank, to(UNREGISTERED))
        yield "registers", *moved(unregistered, to(LIVE))
        yield "expires", *moved(mute & (status >= MUTE + UNHEARD), to(ABSENT, clear=True))
        yield "expires frozen", *moved(frozen & (status >= STOPPED + UNHEARD), to(FORGOTTEN))
        yield "is dropped", *moved(live, to(UNREGISTERED))
        every = np.ones(len(rows), dtype=bool)
        yield "cut off", *moved(every, lambda after: ages(0)(after))
        yield "returns empty", *moved(every, lambda after: self._emptied(after))
        yield "tick", *moved(self._may_pass(rows), self._aged)
        yield "frozen tick", *moved(every, lambda after: self._aged(after, frozen=True))

    def _emptied(self, after: Rows) -> None:
        status = after[:, STATUS].copy()
        after[(status >= LIVE) & (status < MUTE), STATUS] = UNREGISTERED
        after[(status >= MUTE) & (status < STOPPED)] = 0
        after[(status >= STOPPED) & (status < FORGOTTEN), STATUS] = FORGOTTEN
        after[:, [REBALANCED, RENEWED]] = 0

    def _may_pass(self, rows: Rows) -> Rows:
        status = rows[:, STATUS]
        running = (status >= LIVE) & (status < MUTE)
        due = (rows[:, LATER] != 0) & (rows[:, DUE] <= 0)
        may = ~due | (status >= MUTE)
        may &= ~running | (rows[:, REBALANCED] < np.where(rows[:, HURRIES] != 0, SOON, PERIOD))
        may &= ~(running & self.queue.listed(rows)) | (rows[:, RENEWED] < PERIOD)
        for last in (MUTE + LOST, STOPPED + LOST):
            may &= status != last
        told: Rows = may
        return told

    def _aged(self, after: Rows, *, frozen: bool = False) -> None:
        after[:, : len(COLUMNS)] = self.queue.later(after[:, : len(COLUMNS)])
        status = after[:, STATUS]
        running = (status >= LIVE) & (status < MUTE)
        if not frozen:
            after[:, REBALANCED] += running
            after[:, RENEWED] += running
        after[:, PULLED] += after[:, DROPPED]
        aged = ((status >= MUTE) & (status < MUTE + LOST)) | ((status >= STOPPED) & (status < STOPPED + LOST))
        after[:, STATUS] = np.where(aged, status + 1, after[:, STATUS])


WORDS = {
    "takes": "rebalances as owner",
    "has-none": "rebalances",
    "renews": "renews its lock",
    "sends_unlock": "sends its delayed unlock request",
    "idles": "rebalances, and gets no list of members",
    "exits": "ends its process, and its delayed unlock request with it",
    "loses its unlock": "loses its delayed unlock request",
    "crashes": "crashes",
    "vanishes": "loses its host",
    "stops": "is frozen",
    "stops unregistered": "is frozen",
    "resumes": "continues",
    "resumes forgotten": "continues",
    "joins": "joins",
    "joins later": "joins",
    "registers": "registers with its next heartbeat",
    "expires": "is removed by the broker, which misses its heartbeats",
    "expires frozen": "is removed by the broker, which misses its heartbeats",
    "is dropped": "is removed by the broker, until its next heartbeat",
}
"""Moves in words, after the member's name."""
