"""One consumer's handling of one queue, as arrays: its table, and its requests to the broker's lock.

A row is one case: what the consumer's table has of the queue, and the lock as this consumer knows it (free, its own or
another's, with its age). A case of ordered consumption changes by the formulas of the machine ``ordered``. Concurrent
consumption takes no lock: a rebalance adds or removes the process queue.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rebalance_proofs.model.client.java_v5_0 import MarksFirst
from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import ANYHOW, happens
from rebalance_proofs.model.machines.ordered.claims import UNSEEN
from rebalance_proofs.model.machines.ordered.state import TICKS, Limits
from rebalance_proofs.proofs.breadth_first import Rows
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.proofs.ordered.pauses import hurries_unbalanced
from rebalance_proofs.proofs.ordered.two import CONFIGURATION

COLUMNS = ("present", "dropped", "locked", "stamp", "cached", "later", "due")
"""Columns of a case that belong to the consumer's table."""
PRESENT, DROPPED, LOCKED, STAMP, CACHED, LATER, DUE = range(len(COLUMNS))
LOCKS = 17
"""Number of states of a lock: free, then own with ages 0 to 7 ticks, then another's with ages 0 to 7 ticks."""
KEPT, GRANTED, FREED = 0, 1, 2
"""Effects on the lock."""
Deed = tuple[str, *tuple[bool, ...]]
"""An action of the machine ``ordered`` with its choices, such as ``("revokes", False)``."""
Part = tuple[Deed, bool]
"""An action, and whether a case in which it is impossible skips it (else the whole move is impossible)."""


@dataclass(frozen=True)
class Move:
    """A consumer's move: machine actions in turn."""

    name: str
    parts: tuple[Part, ...]


def must(*deeds: Deed) -> tuple[Part, ...]:
    """Return actions that must be possible."""
    return tuple((deed, False) for deed in deeds)


def may(*deeds: Deed) -> tuple[Part, ...]:
    """Return actions that are skipped where they are impossible."""
    return tuple((deed, True) for deed in deeds)


class Queue(ABC):
    """What one consumer can do with one queue."""

    name: str
    denied_hurries: bool
    """Whether a consumer that is denied the lock soon rebalances again."""
    unbalanced_hurries: bool
    """Whether a consumer with a dropped process queue of its own queue soon rebalances again."""
    relies: int
    """Time in ticks after a renewal for which a consumer relies on its lock."""

    @abstractmethod
    def gives(self) -> Sequence[Move]:
        """Return the ways in which a rebalance gives up the queue."""

    @abstractmethod
    def leaves(self) -> Sequence[Move]:
        """Return the ways in which a shutdown gives up the queue."""

    @abstractmethod
    def takes(self, cases: Rows, locks: Rows, overdue: Rows) -> Iterator[tuple[tuple[Deed, ...], Rows, Rows, Rows]]:
        """Yield (actions, cases, effects on the lock, origins) of a rebalance of the owner.

        ``overdue``: whether the process queue is dropped and was not pulled for too long.
        """

    @abstractmethod
    def renews(self, cases: Rows, locks: Rows) -> Iterator[tuple[tuple[Deed, ...], Rows, Rows, Rows]]:
        """Yield (actions, cases, effects, origins) of a renewal of the consumer's locks."""

    @abstractmethod
    def done(self, move: Move, cases: Rows, locks: Rows) -> tuple[Rows, Rows, Rows]:
        """Return (cases, effects on the lock, origins) after a move, for the cases in which it is possible."""

    @abstractmethod
    def later(self, cases: Rows) -> Rows:
        """Return the cases after a tick."""

    @abstractmethod
    def listed(self, cases: Rows) -> Rows:
        """Return whether a renewal asks for the queue's lock."""

    def works(self, cases: Rows) -> Rows:
        """Return whether the consumer can consume from its process queue."""
        told: Rows = (
            (cases[:, PRESENT] != 0)
            & (cases[:, LOCKED] != 0)
            & (cases[:, DROPPED] == 0)
            & (-cases[:, STAMP] <= self.relies)
        )
        return told


DELAYED = Move("sends its delayed unlock request", must(("sends_unlock", False), ("unlocked", False)))
_PULLED: Deed = ("pulls",)


class OrderedQueue(Queue):
    """An ordered consumer's queue, by the formulas of the machine ``ordered``."""

    def __init__(self, client: OrderedClient, limits: Limits = TICKS) -> None:
        """``limits``: in ticks."""
        self.name, self.client = client.name, client
        self.denied_hurries = issubclass(client.made, MarksFirst)
        self.unbalanced_hurries = hurries_unbalanced(client)
        self.relies = number(limits.client)
        self._oldest = max(number(limits.client), number(limits.unlock)) + 1
        self.together = Together(CONFIGURATION, client.encoding, client, ANYHOW, limits, 2, UNSEEN)
        self._blank = self.together.start()[0]
        self._places = [self.together.place(0, name) for name in COLUMNS]
        self._holder, self._updated = (self.together.place(0, name) for name in ("holder", "updated"))
        known = {*self._places, self._holder, self._updated}
        last = {self.together.place(0, name) for name in ("stopping", "closed", "yielded", "cut", "waits_since")}
        own = range(self.together.place(0, self.together.own[-1]) + 1)
        self._passing = [place for place in own if place not in known | last]

    def _wide(self, cases: Rows, locks: Rows) -> Rows:
        rows = np.asfortranarray(np.repeat(self._blank[None, :], len(cases), axis=0))
        for place, column in zip(self._places, cases.T, strict=True):
            rows[:, place] = column
        rows[:, self._holder] = np.where(locks == 0, NOBODY, np.where(locks <= 8, ME, ME + 1))
        rows[:, self._updated] = np.where(locks == 0, 0, -((locks - 1) % 8))
        return rows

    def _narrow(self, rows: Rows, locks: Rows) -> tuple[Rows, Rows]:
        if rows[:, self._passing].any():
            raise RuntimeError("a move left something under way that a case does not represent")
        cases = rows[:, self._places].astype(np.int64)
        cases[:, DUE] = np.where(cases[:, LATER] != 0, np.maximum(cases[:, DUE], 0), 0)
        cases[:, STAMP] = np.where(cases[:, PRESENT] != 0, np.maximum(cases[:, STAMP], -self._oldest), 0)
        if not self.client.forces:
            cases[:, STAMP] = np.where(cases[:, DROPPED] != 0, 0, cases[:, STAMP])
        holder, updated = rows[:, self._holder], rows[:, self._updated]
        granted = (holder == ME) & (updated == 0)
        effects = np.where(granted, GRANTED, np.where((holder == NOBODY) & (locks != 0), FREED, KEPT))
        return cases, effects

    def _run(self, parts: Sequence[Part], rows: Rows) -> tuple[Rows, Rows]:
        origin = np.arange(len(rows))
        for (name, *said), skips in parts:
            deed = happens(0, name, *said)
            if skips:
                rows = self._where(rows, np.ones(len(rows), dtype=bool), (name, *said))
            else:
                rows, come = self.together.after(rows, deed)
                origin = origin[come]
        return rows, origin

    def _where(self, rows: Rows, these: Rows, deed: Deed) -> Rows:
        places = np.flatnonzero(these)
        after, origin = self.together.after(rows[places], happens(0, deed[0], *deed[1:]))
        rows = rows.copy(order="F")
        rows[places[origin]] = after
        return rows

    def gives(self) -> Sequence[Move]:
        revoked, back = must(("revokes", False)), may(("unlocked", False))
        runs = [
            Move(
                f"gives up the queue while its listener runs{', with more messages' if more else ''}"
                f"{', which it fails' if again else ''}",
                (*may(_PULLED), *must(("starts", more)), *revoked, *must(("ends", again)), *back),
            )
            for more in (False, True)
            for again in (False, True)
        ]
        return (
            Move("gives up the queue", (*revoked, *back)),
            Move("gives up the queue with cached messages", (*must(_PULLED), *revoked, *back)),
            *runs,
        )

    def leaves(self) -> Sequence[Move]:
        rules, back, clears = self.client.rules, may(("unlocked", False)), must(("clears",))
        interrupted = must(("interrupts", False)) if rules.waits_for_listener else ()
        found = []
        taken = must(("renews", False)) if rules.renews_on else ()
        for again in (False, True) if rules.renews_on else (False,):
            renewed = taken if again else ()
            words = ", and its second renewer takes the lock again" if again else ""
            ways = {
                "shuts down": (*must(("shuts",)), *must(("gives_back",))),
                "shuts down while its listener runs": (
                    *may(_PULLED),
                    *must(("starts", False), ("shuts",)),
                    *interrupted,
                    *must(("gives_back",)),
                ),
            }
            for said, way in ways.items():
                ends = may(("ends", False))
                found.append(Move(said + words, (*way, *back, *renewed, *clears, *ends)))
        return tuple(found)

    def takes(self, cases: Rows, locks: Rows, overdue: Rows) -> Iterator[tuple[tuple[Deed, ...], Rows, Rows, Rows]]:
        rows = self._wide(cases, locks)
        rows = self._where(rows, overdue, ("revokes", True))
        rows = self._where(rows, overdue, ("unlocked", False))
        place = self.together.place
        absent = rows[:, place(0, "present")] == 0
        rows = self._where(rows, absent, ("locks", True))
        rows = self._where(rows, rows[:, place(0, "adding")] != 0, ("adds", True))
        after, effects = self._narrow(rows, locks)
        deeds: tuple[Deed, ...] = (("revokes", True), ("unlocked", False), ("locks", True), ("adds", True))
        yield deeds, after, effects, np.arange(len(cases))

    def renews(self, cases: Rows, locks: Rows) -> Iterator[tuple[tuple[Deed, ...], Rows, Rows, Rows]]:
        asked = np.flatnonzero(self.listed(cases))
        rows = self._wide(cases[asked], locks[asked])
        every = np.ones(len(rows), dtype=bool)
        rows = self._where(rows, every, ("renews", True))
        granted = rows[:, self.together.place(0, "answered")] != 0
        rows = self._where(rows, granted, ("renewed",))
        rows = self._where(rows, ~granted, ("refused",))
        after, effects = self._narrow(rows, locks[asked])
        yield (("renews", True), ("renewed",), ("refused",)), after, effects, asked

    def done(self, move: Move, cases: Rows, locks: Rows) -> tuple[Rows, Rows, Rows]:
        rows, origin = self._run(move.parts, self._wide(cases, locks))
        return *self._narrow(rows, locks[origin]), origin

    def later(self, cases: Rows) -> Rows:
        none = np.zeros(len(cases), dtype=np.int64)
        return self._narrow(self.together.later(self._wide(cases, none)), none)[0]

    def listed(self, cases: Rows) -> Rows:
        told: Rows = (cases[:, PRESENT] != 0) & (self.client.rules.renews_marked | (cases[:, DROPPED] == 0))
        return told


class ConcurrentQueue(Queue):
    """A queue of a consumer with concurrent listeners, which takes no lock."""

    denied_hurries = unbalanced_hurries = False
    relies = 0

    def __init__(self, name: str) -> None:
        self.name = name

    def gives(self) -> Sequence[Move]:
        return (Move("gives up the queue", must(("revokes", False))),)

    def leaves(self) -> Sequence[Move]:
        return (Move("shuts down", must(("shuts",))),)

    def takes(self, cases: Rows, locks: Rows, overdue: Rows) -> Iterator[tuple[tuple[Deed, ...], Rows, Rows, Rows]]:
        after = cases.copy()
        after[:, [PRESENT, LOCKED]] = 1
        yield (("adds", True),), after, np.full(len(cases), KEPT), np.arange(len(cases))

    def renews(self, cases: Rows, locks: Rows) -> Iterator[tuple[tuple[Deed, ...], Rows, Rows, Rows]]:
        return iter(())

    def done(self, move: Move, cases: Rows, locks: Rows) -> tuple[Rows, Rows, Rows]:
        origin = np.flatnonzero(cases[:, PRESENT] != 0 if move.name == "gives up the queue" else cases[:, PRESENT] >= 0)
        origin = np.zeros(0, dtype=np.int64) if move is DELAYED else origin
        return np.zeros_like(cases[origin]), np.full(len(origin), KEPT), origin

    def later(self, cases: Rows) -> Rows:
        return cases

    def listed(self, cases: Rows) -> Rows:
        return np.zeros(len(cases), dtype=bool)
