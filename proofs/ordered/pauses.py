"""Longest time (pause) in which no consumer works on an ordered queue.

It is the longest path through all states, in ticks. The states are those of two consumers, as explored for two
listeners, with the times of their due actions. A queue pauses as long as its new owner has no process queue that is
locked and not dropped. The count goes backward. It starts with the paused states, then takes the states from which a
tick can lead to one of these, and so on. The number of the last set that contains an initial state is the number of
ticks. If a set stays the same, the pause has no upper bound. From 5.0 on, a consumer that was denied the lock asks
again half a second later (``rebalanceLater``). From 5.2 on, a consumer that does not work on its whole share
rebalances every second (``minInterval``). No release does so for a process queue that is dropped because its queue
belongs to another consumer: its owner continues at its next timer or notification. The result is a number of ticks of
ten seconds, in a model whose messages take no time; it is explored, and not proved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from rebalance_proofs.model.client.java_v5_0 import MarksFirst
from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import ANYHOW, happens
from rebalance_proofs.model.machines.ordered.claims import UNSEEN
from rebalance_proofs.model.machines.ordered.state import TICKS, Limits
from rebalance_proofs.model.machines.settling.actions import CLIENTS as THREADS
from rebalance_proofs.proofs.breadth_first import Rows, first, together
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, Way
from rebalance_proofs.proofs.ordered.two import CONFIGURATION

OLD, NEW = 0, 1
"""The consumers: the old owner and the new owner of the queue."""
PERIOD = 2
"""Longest time between two rebalances of a consumer, in ticks (20 s).

Also the longest time between two renewals of its locks.
"""
SOON = 1
"""Longest time until the next rebalance of a consumer with unfinished work, in ticks.

In reality it is ten or twenty times shorter.
"""
OVERDUE = 13
"""Ticks without a pull after which a rebalance removes a process queue (over two minutes)."""


@dataclass(frozen=True)
class Pause:
    """The longest time in which no consumer works on a queue."""

    ticks: int
    """Length in ticks of ten seconds; ``NEVER_ENDS`` if it has no upper bound."""
    states: int
    """Number of explored states."""


@dataclass(frozen=True)
class _Ages:
    """Times of each state, in ticks; each is an array with one value per state.

    They are the times since the rebalances, since the new owner's last renewal, and since the last pull for the new
    owner's dropped process queue.
    """

    old: Rows
    new: Rows
    renewal: Rows
    pull: Rows
    hurries: Rows
    """Whether the new owner's last rebalance left work unfinished.

    If so, the next rebalance comes soon.
    """

    def at(self, places: Rows) -> "_Ages":
        return _Ages(*(column[places] for column in vars(self).values()))

    def keys(self, numbers: Rows) -> Rows:
        """Return one number for each state, made of the number of its row and its times."""
        keys = numbers
        for column, many in zip(vars(self).values(), (PERIOD + 1, PERIOD + 1, PERIOD + 1, OVERDUE + 1, 2), strict=True):
            keys = keys * many + column
        told: Rows = keys
        return told


def longest(client: OrderedClient, way: Way, *, timer: bool = True) -> Pause:
    """Return the longest pause at a hand-over of the kind ``way``.

    ``timer``: consumers rebalance every 20 s at the latest. Raises ``RuntimeError`` if the model is stuck, which
    would hide a pause.
    """
    return _longest(client, way, timer, TICKS)


@cache
def _longest(client: OrderedClient, way: Way, timer: bool, limits: Limits) -> Pause:
    return _Pauses(client, way, timer, limits).longest()


def hurries_unbalanced(client: OrderedClient) -> bool:
    """Return whether a rebalance that leaves a dropped process queue is soon repeated.

    This agrees with the model of kind ``settling``.
    """
    return any(one.least for one in THREADS if client.generations[-1] in one.generations)


def _all_ages(count: int) -> _Ages:
    """Return all possible initial times for ``count`` states.

    The two rebalances may have been at any time.
    """
    old, new = np.meshgrid(np.arange(PERIOD + 1), np.arange(PERIOD + 1), indexing="ij")
    none = np.zeros(old.size * count, dtype=np.int64)
    return _Ages(np.tile(old.ravel(), count), np.tile(new.ravel(), count), none, none, none)


class _Pauses:
    def __init__(self, client: OrderedClient, way: Way, timer: bool, limits: Limits) -> None:
        self._client, self._way, self._timer = client, way, timer
        self._denied_hurries = issubclass(client.made, MarksFirst)
        self._unbalanced_hurries = hurries_unbalanced(client)
        self._together = Together(CONFIGURATION, client.encoding, client, ANYHOW, limits, 2, UNSEEN)
        self._packing, self._place = self._together.packed, self._together.place

    def longest(self) -> Pause:
        rows, begin, everything, ticks = self._states()
        waits = ~self._works(rows)
        passes = ~waits
        passes[ticks[0]] = True
        if not _back(passes, everything).all():
            raise RuntimeError("a state was reached from which neither time passes nor the pause ends")
        free = everything[:, waits[everything[0]] & waits[everything[1]]]
        ticks = ticks[:, waits[ticks[0]] & waits[ticks[1]]]
        longer, count = waits, 0
        while True:
            reached = np.zeros(len(rows), dtype=bool)
            reached[ticks[0][longer[ticks[1]]]] = True
            reached = _back(reached, free)
            if not reached[begin].any():
                return Pause(count, len(rows))
            if (reached == longer).all():
                return Pause(NEVER_ENDS, len(rows))
            longer, count = reached, count + 1

    def _states(self) -> tuple[Rows, Rows, Rows, Rows]:
        """Return all states, the indexes of initial states, and the edges of actions and of ticks.

        Edges are pairs of indexes (from, to).
        """
        start = self._start()
        start = start[first(self._packing(start), np.zeros(0, dtype=np.int64))]
        rows = np.repeat(start, (PERIOD + 1) ** 2, axis=0)
        ages = _all_ages(len(start))
        keys = ages.keys(self._packing(rows))
        begin, seen = keys, np.sort(keys)
        found = [(rows, keys)]
        edges: dict[bool, list[Rows]] = {False: [], True: []}
        while len(rows):
            nexts = []
            for tick, after, later, origin in self._moves(rows, ages):
                reached = later.keys(self._packing(after))
                edges[tick].append(np.stack([keys[origin], reached]))
                fresh = first(reached, seen)
                seen = together(seen, reached[fresh])
                nexts.append((after[fresh], later.at(fresh), reached[fresh]))
            rows = np.concatenate([one[0] for one in nexts])
            columns = zip(*(vars(one[1]).values() for one in nexts), strict=True)
            ages = _Ages(*map(np.concatenate, columns))
            keys = np.concatenate([one[2] for one in nexts])
            found.append((rows, keys))
        everything = np.concatenate([one[0] for one in found])[np.argsort(np.concatenate([one[1] for one in found]))]
        free, ticks = (np.searchsorted(seen, np.concatenate(edges[tick], axis=1)) for tick in (False, True))
        return everything, np.searchsorted(seen, begin), free, ticks

    def _start(self) -> Rows:
        """Return the states, one per row, in which the pause begins."""
        rows = self._together.start()
        if self._way is Way.FREE:
            return rows
        who = NEW if self._way is Way.BACK else OLD
        owned = self._did(rows, who, ("locks", True), ("adds", True), ("renews", True), ("renewed",), ("pulls",))
        works = self._did(owned, who, ("starts", False))
        if self._way is Way.CRASHED:
            return self._did(owned, who, ("crashes",))
        marked = self._did(works, who, ("revokes", False))
        if self._way is Way.BACK:
            return marked
        if self._way is Way.SHUT:
            gone = ("shuts",), ("gives_back",)
            began = np.concatenate([owned, marked])
            under_listener = self._did(works, who, ("shuts",), ("interrupts", False), ("gives_back",))
            yielded = np.concatenate([self._did(began, who, *gone), under_listener])
            if self._client.rules.renews_on:
                taken = self._did(yielded, who, ("unlocked", False), ("renews", False))
                yielded = np.concatenate([yielded, taken])
            return self._did(yielded, who, ("clears",))
        return np.concatenate([owned, works])

    def _did(self, rows: Rows, who: int, *deeds: tuple[str, *tuple[bool, ...]]) -> Rows:
        for name, *said in deeds:
            rows, _ = self._together.after(rows, happens(who, name, *said))
        return rows

    def _moves(self, rows: Rows, ages: _Ages) -> Iterator[tuple[bool, Rows, _Ages, Rows]]:
        """Yield, for each action, whether it takes a tick, and the states after it.

        With the states come their times, and the index of the row that each state comes from.
        """
        everywhere, never = np.arange(len(rows)), np.zeros(len(rows), dtype=np.int64)
        yield False, *self._aged(self._gives_up(rows), replace(ages, old=never)), everywhere
        taken = self._takes(rows, ages)
        yield False, *self._aged(taken, replace(ages, new=never, hurries=self._hurries(taken))), everywhere
        yield False, *self._aged(self._renews(rows, OLD), ages), everywhere
        yield False, *self._aged(self._renews(rows, NEW), replace(ages, renewal=never)), everywhere
        deeds = [(who, name, False) for who in (OLD, NEW) for name in ("unlocked", "sends_unlock", "ends")]
        for who, name, said in [
            *deeds,
            (OLD, "ends", True),
            (NEW, "ends", True),
            (OLD, "starts", False),
            (OLD, "starts", True),
        ]:
            after, origin = self._together.after(rows, happens(who, name, said))
            yield False, *self._aged(after, ages.at(origin)), origin
        if self._way is Way.LOST:
            origin = np.flatnonzero(rows[:, self._place(OLD, "unlocking")])
            after = rows[origin].copy()
            after[:, self._place(OLD, "unlocking")] = 0
            yield False, *self._aged(after, ages.at(origin)), origin
        origin = np.flatnonzero(self._may_pass(rows, ages))
        one = ages.at(origin)
        older = _Ages(one.old + 1, one.new + 1, one.renewal + 1, one.pull + 1, one.hurries)
        yield True, *self._aged(self._together.later(rows[origin]), older), origin

    def _aged(self, rows: Rows, ages: _Ages) -> tuple[Rows, _Ages]:
        """Return the states and their times, with 0 for a time that does not matter."""
        marked = rows[:, self._place(NEW, "dropped")] != 0
        unlocked = (rows[:, self._place(NEW, "present")] != 0) & ~marked
        return rows, _Ages(
            np.minimum(ages.old, PERIOD),
            np.minimum(ages.new, PERIOD),
            np.where(unlocked, np.minimum(ages.renewal, PERIOD), 0),
            np.where(marked, np.minimum(ages.pull, OVERDUE), 0),
            np.where(self._works(rows), 0, ages.hurries),
        )

    def _may_pass(self, rows: Rows, ages: _Ages) -> Rows:
        may = self._together.waits(rows)
        for who in (OLD, NEW):
            due = (rows[:, self._place(who, "later")] != 0) & (rows[:, self._place(who, "due")] <= 0)
            may &= (rows[:, self._place(who, "unlocking")] == 0) & ~due
        if self._timer:
            may &= (ages.new < np.where(ages.hurries, SOON, PERIOD)) & (
                (ages.old < PERIOD) | (rows[:, self._place(OLD, "closed")] != 0)
            )
        may &= (ages.renewal < PERIOD) | (rows[:, self._place(NEW, "present")] == 0)
        told: Rows = may
        return told

    def _gives_up(self, rows: Rows) -> Rows:
        """Return the states (one per row) after the old owner's rebalance."""
        return self._where(rows, rows[:, self._place(OLD, "present")] != 0, happens(OLD, "revokes", False))

    def _takes(self, rows: Rows, ages: _Ages) -> Rows:
        """Return the states (one per row) after the new owner's rebalance.

        The rebalance removes an overdue process queue, and adds a missing one if the lock is granted.
        """
        overdue = (rows[:, self._place(NEW, "dropped")] != 0) & (ages.pull >= OVERDUE)
        rows = self._where(rows, overdue, happens(NEW, "revokes", True))
        rows = self._where(rows, rows[:, self._place(NEW, "present")] == 0, happens(NEW, "locks", True))
        return self._where(rows, rows[:, self._place(NEW, "adding")] != 0, happens(NEW, "adds", True))

    def _hurries(self, rows: Rows) -> Rows:
        """Return, for each state, whether the new owner's rebalance left work unfinished.

        That is a denied lock, or a dropped process queue.
        """
        present = rows[:, self._place(NEW, "present")] != 0
        marked = present & (rows[:, self._place(NEW, "dropped")] != 0)
        told: Rows = ((~present & self._denied_hurries) | (marked & self._unbalanced_hurries)).astype(np.int64)
        return told

    def _renews(self, rows: Rows, who: int) -> Rows:
        """Return the states (one per row) after the consumer's ``lockAll``."""
        marked = rows[:, self._place(who, "dropped")] != 0
        asked = (rows[:, self._place(who, "present")] != 0) & (self._client.rules.renews_marked | ~marked)
        before = rows[:, self._place(who, "answered")] != 0
        rows = self._where(rows, asked, happens(who, "renews", True))
        granted = rows[:, self._place(who, "answered")] != 0
        rows = self._where(rows, granted, happens(who, "renewed"))
        return self._where(rows, asked & ~granted & ~before, happens(who, "refused"))

    def _where(self, rows: Rows, these: Rows, deed: Happens) -> Rows:
        """Return all states, with the action ``deed`` done in those of ``these`` that allow it."""
        places = np.flatnonzero(these)
        after, origin = self._together.after(rows[places], deed)
        rows = rows.copy()
        rows[places[origin]] = after
        return rows

    def _works(self, rows: Rows) -> Rows:
        """Return, for each state, whether the new owner can consume from its process queue."""
        told: Rows = (rows[:, self._place(NEW, "locked")] != 0) & (rows[:, self._place(NEW, "dropped")] == 0)
        return told


def _back(reached: Rows, edges: Rows) -> Rows:
    """Return the states in ``reached``, and all states from which edges lead to one of them."""
    while True:
        more = reached.copy()
        more[edges[0][reached[edges[1]]]] = True
        if (more == reached).all():
            return reached
        reached = more
