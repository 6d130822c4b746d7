"""Three members, the broker's lock of one queue, and an environment that decides who owns the queue.

A state has each member's state, the lock, the owner that an up-to-date list of members gives, and what the broker is
doing. At each change of the list, the environment makes any registered member the owner: this covers every strategy and
any number of queues. Members that never own the queue need no state: their joins and ends only change the list.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from rebalance_proofs.proofs.breadth_first import Rows
from rebalance_proofs.proofs.ordered.composed.member import LOST, NEVER, REGISTERS, RETURNS, Members
from rebalance_proofs.proofs.ordered.composed.queue import FREED, GRANTED

EACH = range(3)
NONE, GONE, NOT_YET = 0, 4, 5
"""Holders of the lock besides the members 1 to 3: none, a client id that does not return, or the queue is not there."""
EXPIRED = 7
"""Age in ticks at which a lock has expired (over 60 s)."""
POLL = 4
"""Number of ticks at one of which a consumer polls its routes: now, and up to 30 s later."""
STALE = LOST + 1
"""Number of ticks at one of which a broker that was frozen has removed all entries of closed connections."""
FROZEN, DOWN = STALE + 1, STALE + 2
"""States of the broker besides the ticks for which its list of members can have entries of closed connections."""


class Event(Enum):
    """What can happen to a group."""

    JOIN = "join"
    SHUTDOWN = "shutdown"
    CRASH = "crash"
    HOST_LOST = "host-lost"
    STOP = "stop"
    BROKER_RESTART = "broker-restart"
    BROKER_FROZEN = "broker-frozen"
    ROUTE = "queues-added"


ANOTHER = {
    Event.JOIN: "another member joins",
    Event.SHUTDOWN: "another member shuts down",
    Event.CRASH: "another member crashes",
    Event.HOST_LOST: "the broker removes another member, whose host was lost",
}
"""Events of members that never own the queue."""


@dataclass(frozen=True)
class States:
    """Arrays with one value per state."""

    members: Rows
    """Each member's state, as a row of three numbers."""
    holder: Rows
    age: Rows
    """Age of the lock in ticks."""
    owner: Rows
    """The owner by the present list of members, 1 to 3; 0 for none."""
    before: Rows
    """The owner by the routes before their change."""
    poll: Rows
    """Ticks left at which a consumer can get the changed routes, with the present one; 0 if all have them."""
    knows: Rows
    """Members with the changed routes, as a bit set."""
    unheard: Rows
    """Ticks left until every running member is registered; 0 if all are."""
    broker: Rows
    """Ticks left at which entries of closed connections can be listed, with the present one; ``FROZEN`` or ``DOWN``."""

    def at(self, places: Rows) -> "States":
        """Return the states at the indexes ``places``."""
        return States(*(column[places] for column in vars(self).values()))

    def __len__(self) -> int:
        return len(self.holder)

    @classmethod
    def joined(cls, parts: Sequence["States"]) -> "States":
        """Concatenate."""
        return cls(*map(np.concatenate, zip(*(vars(part).values() for part in parts), strict=True)))


@dataclass(frozen=True)
class Moved:
    """A move in all states in which it is possible."""

    name: str
    """The move of a member, or of the group."""
    who: int
    """The member; -1 for none."""
    event: Event | None
    ticks: bool
    """Whether the move is a tick."""
    states: States
    """The states after it."""
    origin: Rows
    """Index of the state that each of them comes from."""


class Group:
    """All moves of a group of up to three members."""

    def __init__(self, members: Members, most: int = 3) -> None:
        """``most``: largest number of members at a time, 1 to 3."""
        self.of, self.most = members, most
        self._radix = (len(members.rows),) * 3 + (6, 8, 4, 4, POLL + 1, 8, RETURNS + 1, DOWN + 1)
        if np.prod([float(one) for one in self._radix]) >= 2.0**63:
            raise ValueError("the states do not fit into 63 bits")

    def keys(self, states: States) -> Rows:
        """Return each state as one number."""
        s = states
        keys = np.zeros(len(s), dtype=np.int64)
        of_all = (s.holder, s.age, s.owner, s.before, s.poll, s.knows, s.unheard, s.broker)
        for column, many in zip((*s.members.T, *of_all), self._radix, strict=True):
            keys = keys * many + column
        return keys

    def read(self, keys: Rows) -> States:
        """Return the states with these numbers."""
        columns = []
        for many in reversed(self._radix):
            keys, column = np.divmod(keys, many)
            columns.append(column)
        members, rest = columns[:-4:-1], columns[-4::-1]
        small = [column.astype(np.int8) for column in rest]
        return States(np.stack(members, axis=1).astype(np.int32), *small)

    def sorted(self, states: States) -> States:
        """Return the states with members in a fixed order, because their names do not matter."""
        s = states
        marks = np.stack(
            [
                (s.owner == who + 1) | ((s.before == who + 1) << 1) | ((s.holder == who + 1) << 2) | (_bit(s, who) << 3)
                for who in EACH
            ],
            axis=1,
        )
        one, two, three = (s.members.astype(np.int64) * 16 + marks).T
        # For three members, comparisons take a fraction of the time of sorting each row.
        swaps, over, last = (two < one).astype(np.int8), (three < one).astype(np.int8), (three < two).astype(np.int8)
        place = np.stack([1 + swaps + over, 2 - swaps + last, 3 - over - last], axis=1)
        rows = np.arange(len(s))
        members = np.empty_like(s.members)
        for who in EACH:
            members[rows, place[:, who] - 1] = s.members[:, who]

        def named(column: Rows) -> Rows:
            member = (column >= 1) & (column <= 3)
            return np.where(member, place[rows, np.where(member, column - 1, 0)], column).astype(np.int8)

        knows = np.zeros(len(s), dtype=np.int8)
        for who in EACH:
            knows |= (_bit(s, who) << (place[:, who] - 1)).astype(np.int8)
        return replace(
            s,
            members=members,
            holder=named(s.holder),
            owner=named(s.owner),
            before=named(s.before),
            knows=knows,
        )

    def normal(self, states: States) -> States:
        """Return the states with 0 for what does not matter."""
        s = states
        if not len(s):
            return s
        running = np.stack([self.of.runs[s.members[:, who]] for who in EACH], axis=1)
        knows = s.knows.copy()
        for who in EACH:
            knows |= (~running[:, who]).astype(np.int8) << who
        over = (s.poll == 0) | (knows == 7)
        unheard = np.where(self._each(self.of.unregistered, s).any(axis=1), s.unheard, 0).astype(np.int8)
        stale = ((s.holder == GONE) & (s.age >= EXPIRED)) | (s.holder == NONE)
        return replace(
            s,
            holder=np.where(stale, NONE, s.holder).astype(np.int8),
            age=np.where(stale | (s.holder == NOT_YET), 0, s.age).astype(np.int8),
            before=np.where(over, 0, s.before).astype(np.int8),
            poll=np.where(over, 0, s.poll).astype(np.int8),
            knows=np.where(over, 0, knows).astype(np.int8),
            unheard=unheard,
        )

    def waits(self, states: States) -> Rows:
        """Return whether the queue waits: its owner cannot consume it."""
        s = states
        works = self._each(self.of.works, s)
        owned = np.zeros(len(s), dtype=bool)
        for who in EACH:
            owned |= works[:, who] & (s.owner == who + 1)
        told: Rows = ~(owned & (s.broker < FROZEN)) & (s.holder != NOT_YET)
        return told

    def idle(self, states: States) -> Rows:
        """Return whether no member at all can consume the queue."""
        works = self._each(self.of.works, states).any(axis=1)
        told: Rows = ~(works & (states.broker < FROZEN)) & (states.holder != NOT_YET)
        return told

    def start(self, members: int, *, there: bool = True) -> States:
        """Return a calm state: the first member owns the queue, if it is there."""
        blank = int(np.flatnonzero(self.of.blank)[0])
        live = int(self.of.changes["joins"][blank])
        state = States(
            np.array([[live if who < members else blank for who in EACH]], dtype=np.int32),
            *(np.zeros(1, dtype=np.int8) for _ in range(8)),
        )
        if not there:
            return replace(state, holder=np.array([NOT_YET], dtype=np.int8))
        state = replace(state, owner=np.array([1], dtype=np.int8))
        for name in ("takes", "renews"):
            if name in self.of.moves:
                state = self._by(name, 0, state, np.ones(1, dtype=bool))[0]
        return state

    def moves(self, states: States) -> Iterator[Moved]:
        """Yield all moves that are no events."""
        s = states
        cut: Rows = s.broker >= FROZEN
        registered = self._each(self.of.registered, s)
        any_listed: Rows = np.logical_or.reduce(registered, axis=1)
        connected: Rows = np.logical_not(cut)
        for who in EACH:
            yield from self._own(s, who, connected, any_listed)
            for name in ("exits", "resumes", "resumes forgotten"):
                yield Moved(name, who, None, False, *self._changed(name, who, s))
            yield Moved(
                "loses its unlock", who, None, False, *self._changed("loses its unlock", who, s, s.broker == STALE)
            )
            for name, when in (
                ("registers", ~cut),
                ("expires", ~cut),
                ("expires frozen", ~cut),
                ("is dropped", s.broker == STALE),
            ):
                after, origin = self._changed(name, who, s, when)
                yield from self._listed(name, who, None, after, origin)
            learns = (s.poll > 0) & (_bit(s, who) == 0)
            origin = np.flatnonzero(learns)
            after = s.at(origin)
            after = replace(after, knows=(after.knows | (1 << who)).astype(np.int8))
            yield Moved("polls its routes", who, None, False, after, origin)
        origin = np.flatnonzero((s.broker >= 1) & (s.broker <= 2))
        yield from self._owned("the list changes", -1, None, s.at(origin), origin)
        last = replace(s.at(origin), broker=np.zeros(len(origin), dtype=np.int8))
        yield from self._owned("the list loses its last entry of a closed connection", -1, None, last, origin)
        yield from self._back(s)
        yield from self._tick(s)

    def events(self, states: States) -> Iterator[Moved]:
        """Yield all events."""
        s = states
        cut: Rows = s.broker >= FROZEN
        runs = self._each(self.of.runs, s)
        free = (~self._each(self.of.blank, s)).sum(axis=1) < self.most
        for who in EACH:
            others: Rows = np.logical_or.reduce(np.delete(runs, who, axis=1), axis=1)
            for name, when in (("joins", free & np.logical_not(cut)), ("joins later", free & cut)):
                after, origin = self._changed(name, who, s, when)
                mine = after.holder == who + 1
                new = replace(after, holder=np.where(mine, GONE, after.holder).astype(np.int8))
                for one, of in ((after.at(np.flatnonzero(mine)), origin[mine]), (new, origin)):
                    if name == "joins":
                        yield from self._listed(name, who, Event.JOIN, one, of)
                    else:
                        yield Moved(name, who, Event.JOIN, False, one, of)
            for name in (one for one in self.of.moves if one.startswith("leaves")):
                after, origin = self._by(name, who, s, ~cut & others)
                yield from self._listed(name, who, Event.SHUTDOWN, after, origin)
            after, origin = self._changed("crashes", who, s, np.logical_and.reduce([cut, others, runs[:, who]]))
            yield Moved("shuts down, which the broker does not notice", who, Event.SHUTDOWN, False, after, origin)
            for name, event in (("crashes", Event.CRASH), ("vanishes", Event.HOST_LOST), ("stops", Event.STOP)):
                after, origin = self._changed(name, who, s, others)
                if event is Event.CRASH:
                    yield from self._listed(name, who, event, after, origin)
                else:
                    yield Moved(name, who, event, False, after, origin)
            after, origin = self._changed("stops unregistered", who, s, others)
            yield Moved("stops unregistered", who, Event.STOP, False, after, origin)
        listed = np.flatnonzero(~cut & self._each(self.of.registered, s).any(axis=1))
        for event, name in ANOTHER.items():
            yield from self._owned(name, -1, event, s.at(listed), listed)
        for event, code in ((Event.BROKER_FROZEN, FROZEN), (Event.BROKER_RESTART, DOWN)):
            origin = np.flatnonzero(s.broker < code)
            after = self._every("cut off", s.at(origin))
            name = "the broker freezes" if code == FROZEN else "the broker stops"
            yield Moved(
                name, -1, event, False, replace(after, broker=np.full(len(origin), code, dtype=np.int8)), origin
            )
        origin = np.flatnonzero(s.poll == 0)
        after = s.at(origin)
        none = np.zeros(len(origin), dtype=np.int8)
        holder = np.where(after.holder == NOT_YET, NONE, after.holder).astype(np.int8)
        after = replace(after, before=after.owner, poll=none + POLL, knows=none, holder=holder)
        yield from self._owned("the routes change", -1, Event.ROUTE, after, origin, route=True)

    def _own(self, s: States, who: int, connected: Rows, any_listed: Rows) -> Iterator[Moved]:
        """Yield a member's rebalances, renewals and delayed unlocks."""
        stale = (s.poll > 0) & (_bit(s, who) == 0)
        mine = np.where(stale, s.before, s.owner) == who + 1
        there = s.holder != NOT_YET
        live = self.of.live[s.members[:, who]]
        for name in self.of.moves:
            if name.startswith("leaves"):
                continue
            when = connected & there
            if name == "takes":
                when = when & live & mine
            elif name == "has-none" or name.startswith("gives"):
                when = when & any_listed & ~(live & mine)
            yield Moved(name, who, None, False, *self._by(name, who, s, when))
        yield Moved("idles", who, None, False, *self._changed("idles", who, s, connected & (~any_listed | ~there)))

    def _back(self, s: States) -> Iterator[Moved]:
        """Yield the end of a broker's freeze, and of its outage."""
        origin = np.flatnonzero(s.broker == FROZEN)
        full = np.zeros(len(origin), dtype=np.int8)
        after = replace(s.at(origin), broker=full + STALE, unheard=full + REGISTERS)
        yield from self._owned("the broker continues", -1, None, after, origin)
        origin = np.flatnonzero(s.broker == DOWN)
        after = self._every("returns empty", s.at(origin))
        none = np.zeros(len(origin), dtype=np.int8)
        holder = np.where(after.holder == NOT_YET, NOT_YET, NONE).astype(np.int8)
        after = replace(after, broker=none, holder=holder, owner=none, before=none, unheard=none + RETURNS)
        yield Moved("the broker returns", -1, None, False, self.normal(after), origin)

    def _tick(self, s: States) -> Iterator[Moved]:
        cut = s.broker >= FROZEN
        origin = np.flatnonzero(cut)
        after = self._every("frozen tick", s.at(origin))
        age = np.minimum(after.age + 1, EXPIRED).astype(np.int8)
        yield Moved("time passes", -1, None, False, self.normal(replace(after, age=age)), origin)
        may = ~cut & (s.broker != 1) & ~((s.poll == 1) & ~self._all_know(s))
        may &= (s.unheard > 0) | ~self._each(self.of.unregistered, s).any(axis=1)
        for who in EACH:
            may &= self.of.changes["tick"][s.members[:, who]] != NEVER
        origin = np.flatnonzero(may)
        after = self._every("tick", s.at(origin))
        after = replace(
            after,
            age=np.minimum(after.age + 1, EXPIRED).astype(np.int8),
            poll=np.maximum(after.poll - 1, 0).astype(np.int8),
            unheard=np.maximum(after.unheard - 1, 0).astype(np.int8),
            broker=np.maximum(after.broker - 1, 0).astype(np.int8),
        )
        yield Moved("10 s pass", -1, None, True, self.normal(after), origin)

    def _all_know(self, s: States) -> Rows:
        know = np.ones(len(s), dtype=bool)
        for who in EACH:
            know &= (_bit(s, who) != 0) | ~self.of.runs[s.members[:, who]]
        return know

    def _every(self, name: str, s: States) -> States:
        return replace(s, members=self.of.changes[name][s.members])

    def _changed(self, name: str, who: int, s: States, when: Rows | None = None) -> tuple[States, Rows]:
        """Return the states after a member's move that does not depend on the lock, and their origins."""
        if name not in self.of.changes:
            none = np.zeros(0, dtype=np.int64)
            return s.at(none), none
        reached = self.of.changes[name][s.members[:, who]]
        origin = np.flatnonzero((reached != NEVER) if when is None else (reached != NEVER) & when)
        members = s.members[origin]
        members[:, who] = reached[origin]
        after = replace(s.at(origin), members=members)
        if name in ("joins later", "resumes forgotten", "is dropped"):
            after = replace(after, unheard=np.maximum(after.unheard, REGISTERS).astype(np.int8))
        return self.normal(after), origin

    def _by(self, name: str, who: int, s: States, when: Rows) -> tuple[States, Rows]:
        """Return the states after a member's move with the lock, and their origins."""
        table = self.of.moves[name]
        lock = np.where(s.holder == who + 1, 1 + s.age, 9 + s.age)
        lock = np.where((s.holder == NONE) | (s.holder == NOT_YET), 0, lock)
        reached = table.after[s.members[:, who], lock]
        origin = np.flatnonzero((reached != NEVER) & when)
        effect = table.effect[s.members[origin, who], lock[origin]]
        members = s.members[origin]
        members[:, who] = reached[origin]
        after = replace(s.at(origin), members=members)
        holder = np.where(effect == GRANTED, who + 1, np.where(effect == FREED, NONE, after.holder))
        age = np.where(effect == GRANTED, 0, after.age)
        return self.normal(replace(after, holder=holder.astype(np.int8), age=age.astype(np.int8))), origin

    def _listed(self, name: str, who: int, event: Event | None, after: States, origin: Rows) -> Iterator[Moved]:
        """Yield a member's move that changes the list of members: any registered member becomes the owner."""
        yield from self._owned(name, who, event, after, origin)

    def _owned(
        self,
        name: str,
        who: int,
        event: Event | None,
        after: States,
        origin: Rows,
        *,
        route: bool = False,
    ) -> Iterator[Moved]:
        """Yield the states in which the environment has chosen owners.

        During a freeze or an outage, no consumer gets a list. ``route``: the routes have just changed, so that
        ``before`` is known.
        """
        if not len(origin):
            return
        registered = self._each(self.of.registered, after)
        there = (after.holder != NOT_YET) & (after.broker < FROZEN)
        nobody = (after.broker > 0) | ~registered.any(axis=1)
        for owner in (0, 1, 2, 3):
            may = there & (nobody if owner == 0 else registered[:, owner - 1])
            for before in (0, 1, 2, 3):
                split = after.poll > 0
                old = (after.before == before) if route else nobody if before == 0 else registered[:, before - 1]
                # A queue that some consumers do not know yet has no owner for them.
                old = old | (after.before == before) & (before == 0)
                so = np.flatnonzero(may & np.where(split, old, before == 0))
                if not len(so):
                    continue
                chosen = after.at(so)
                full = np.zeros(len(so), dtype=np.int8)
                yield Moved(
                    name,
                    who,
                    event,
                    False,
                    self.normal(replace(chosen, owner=full + owner, before=full + before)),
                    origin[so],
                )
        so = np.flatnonzero(~there)
        yield Moved(name, who, event, False, self.normal(after.at(so)), origin[so])

    @staticmethod
    def _each(of: Rows, s: States) -> Rows:
        told: Rows = of[s.members]
        return told


def _bit(s: States, who: int) -> Rows:
    return (s.knows >> who) & 1
