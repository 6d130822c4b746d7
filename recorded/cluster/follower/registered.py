"""What a recording shows of one member of a group at one broker (``machines.registry.recorded.OfMember``)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import SENDING, about
from rebalance_proofs.recorded.cluster.follower.history import (
    Closed,
    Moved,
    Others,
    Over,
    Process,
    Replaced,
    Unchanged,
)
from rebalance_proofs.recorded.cluster.follower.place import POLLED
from rebalance_proofs.recorded.cluster.follower.roll import EXPIRED, FAR, Connection, Id, Roll, port_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.driver import Topics
from rebalance_proofs.recorded.groups.event import BEAT, Event
from rebalance_proofs.recorded.groups.member import Allocate, Notified, ShutdownBegin
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

WRITTEN = 500
"""Longest time in ms from a poll to its event; a poll that is written later is no cause of a notification."""
BEAT_GAP = number(DEFAULTS.beat)


class Membership(Process):
    """History of one member of a group at one broker, in all lives of the broker."""

    def __init__(self, roll: Roll, one: Id) -> None:
        """Prepare the member's events."""
        life = roll.lives[one.who][one.life] if one.who else roll.trace.of[roll.broker][:1]
        super().__init__(roll.trace, one.who or roll.consumers[0], life)
        self.roll, self.one, self.seen = roll, one, roll.own[one]
        self.known = one.who != ""
        ends = (at for at in roll.trace.killed(one.who) if at >= life[0].at)
        self.end = next(ends, None) if self.known else None
        self.uses = [one for one in roll.uses[self.who] if life[0].at <= one[0] <= (self.end or FAR)] if one.who else []
        self.ports = [(one.at, port_of(one.from_)) for one in self.seen.events if _is_beat(one, roll.group)]
        self.byes = [one.at for one in of_kind(life, ShutdownBegin)] if self.known else []
        self.notes = [one for one in of_kind(life, Notified) if one.said.consumer_group == roll.group]
        """Notifications that the process has received."""

    @property
    def label(self) -> str:
        """Name of what is checked, for people."""
        return f"{self.one.client_id} of {self.roll.group} at {self.roll.broker}"

    @property
    def begun(self) -> int:
        """Time in ms at which the broker starts."""
        return self.trace.of[self.roll.broker][0].at

    polls = ()

    def feed(self, event: Event) -> None:
        """Do nothing: the history is read as a whole."""

    @cached_property
    def events(self) -> list[Event]:
        """The events about the member, and derived ones, by time."""
        roll = self.roll
        found: list[Event] = [*roll.trace.kind(b.BrokerStarting, roll.broker)[1:], *self._replaced, *self.seen.events]
        found += [*roll.rows, *roll.answers, *self._of_polls, *self._unchanged, *self._route]
        if len(roll.trace.brokers) == 1:  # notifications do not name their broker
            found += [*self.notes, *(one for one in self._alone if all(one is not note for note in self.notes))]
        last = max((one.at for one in self.seen.events), default=0)
        if self.end is not None and self.end < roll.trace.end:
            end = self.end
            found.append(Over(at=end, who=self.who, row=self.life[-1].row, late=max(0, last - end)))
        return sorted(found, key=lambda one: (one.at, one.who != roll.broker, one.row, isinstance(one, b.Table)))

    @cached_property
    def _of_polls(self) -> list[Event]:
        """Connections that are no longer listed, and changes of other members' connections."""
        found: list[Event] = []
        before, starts, rows, known = 0, self.roll.starts, self.roll.rows, set[tuple[int, int]]()
        listed = [{one.port for one, of in self.roll.shown[row.row][1].items() if of == self.one} for row in rows]
        for row, left, later in zip(rows, listed, [*listed[1:], set[int]()], strict=False):
            was, is_ = self.roll.shown[row.row]
            start = starts[max(bisect_right(starts, row.at) - 1, 0)]
            gone = {one.port for one, of in was.items() if of == self.one}
            more = any(port != self._newest(row.at) for port in left)
            since = max(before - POLLED, start)
            fresh = [one for one in self.seen.connections if since < one.beat <= row.at and one.port not in later]
            fresh = [one for one in fresh if (one.port, one.since) not in known]
            ended = [
                one for one in self.seen.connections if one.port not in left and (one.port in gone or one in fresh)
            ]
            known |= {(one.port, one.since) for one in self.seen.connections if one.port in left or one in ended}
            found += self._closed(ended, row.at, row=row.row, more=more)
            earlier, others = ({one for one, of in each.items() if of != self.one} for each in (was, is_))
            stay = bool(others) or len(left - {self._newest(row.at)}) > 1
            found.append(Others(at=row.at, who=row.who, row=row.row, came=bool(others - earlier), left=stay))
            before = row.at
        return found

    def _closed(
        self, ended: Iterable[Connection], at: int, *, row: int = 0, more: bool = False, after: int = 0
    ) -> Iterator[Closed]:
        """Yield the ends of connections that are not listed at a time; of several earlier connections only one."""
        known = more
        for one in ended:
            if one.until <= at:
                if known:
                    continue
                known = True
            who = self.roll.broker
            yield Closed(at=at, who=who, row=row, port=one.port, until=one.until, more=more, after=after)

    def _newest(self, now: int) -> int | None:
        """Return the port of the member's newest connection at a time."""
        return next((one.port for one in reversed(self.seen.connections) if one.since <= now), None)

    @property
    def _replaced(self) -> Iterator[Replaced]:
        """Connections that a list of ids lacks before the next one opens, if no poll needs their end."""
        shown = {one.port for one in (*self._of_polls, *self._unchanged) if isinstance(one, Closed)}
        rows = {self.seen.of[row].since: row for row in sorted(self.seen.opens, reverse=True)}
        lacking = [one.at for one in self.roll.answers if self.one.client_id not in (one.said.ids or ())]
        for one in self.seen.connections:
            missed = any(one.since < at <= one.until for at in lacking)
            if missed and one.port not in shown and one.until in rows:
                row, at = rows[one.until], one.until - 1
                yield Replaced(at=at, who=self.roll.broker, row=row, port=one.port, until=one.until)

    @cached_property
    def _unchanged(self) -> list[Event]:
        """One event after each heartbeat and unregistration, when polls must have seen its effect.

        Connections that no poll has listed by then have ended.
        """
        roll, found = self.roll, list[Event]()
        lives = [*roll.trace.lives(roll.broker)]
        times = [(one.at, one.row) for one in self.seen.events if isinstance(one, b.Answered)]
        times.append((lives[-1][-1].at - POLLED, lives[-1][-1].row))
        for place, (at, row) in enumerate(times):
            life = next((life for life in reversed(lives) if life[0].at <= at), lives[0])
            after = POLLED + roll.trace.stood(roll.broker, at, at + POLLED)
            last_of_burst = not any(at < one <= at + after for one, _ in times[place + 1 :])
            if last_of_burst and at + after <= life[-1].at and not roll.trace.ending(roll.broker, at + after):
                last = roll.row(at + after)
                is_, until = last.is_ if last else None, at + after
                listed = {one.port for one in b.members(is_)}
                found.append(Unchanged(at=until, who=roll.broker, row=row, is_=is_, after=after))
                since = last.at if last else 0
                fresh = (one for one in self.seen.connections if since < one.beat <= until)
                found += self._closed((one for one in fresh if one.port not in listed), until, after=after)
        return found

    @cached_property
    def _alone(self) -> list[Notified]:
        """Notifications of the group about changes of this member only."""
        roll, found = self.roll, []
        changes = []
        for row in roll.rows:
            was, is_ = roll.shown[row.row]
            differ = {*was.items()} ^ {*is_.items()}
            if differ and all(of == self.one for _, of in differ):
                changes.append(row.at)
        for note in roll.notes:
            since = note.at - roll.sending - roll.trace.stood(note.who, note.at - SENDING, note.at)
            own = any(since <= at <= note.at + LOOK + WRITTEN for at in changes)
            if own and (roll.how["later"] or not self._others_changed(note, changes)):
                found.append(note)
        return found

    def _others_changed(self, note: Notified, own: list[int]) -> bool:
        """Return True if another change can have caused the notification, or if it is too late to be sure."""
        since = note.at - SENDING - self.trace.slack(note.who, note.at - SENDING, note.at)
        rows = [one.at for one in (*self.roll.rows, *self.roll.topics) if since <= one.at <= note.at + STALL]
        return any(at not in own for at in rows)

    @cached_property
    def _route(self) -> list[Event]:
        """The last change of a topic's queues while the process ran, and the later rebalances of the topic."""
        shares = of_kind(self.life, Allocate) if self.known else []
        grown = [
            (event, topic)
            for event in of_kind(self.trace.of[DRIVER], Topics)
            for topic in (spec.partition(":")[0] for spec in event.spec.split(","))
            if event.at <= self.life[-1].at and any(one.topic == topic and one.at < event.at - STALL for one in shares)
        ]
        if not grown:
            return []
        event, topic = grown[-1]
        own = [one for one in shares if one.topic == topic]
        self.queues = own[-1].mq_all
        if self.queues == own[0].mq_all:
            return []  # no observed change
        return [Moved(at=event.at, who=event.who, row=event.row), *own]

    # ---- The event that is being explained

    @property
    def off(self) -> int:
        """1 if the broker sends no notifications."""
        return self.roll.how["off"]

    @property
    def later(self) -> int:
        """1 if the broker collects notifications."""
        return self.roll.how["later"]

    @property
    def until(self) -> int:
        """Time in ms from which the member uses a newer connection than that of the event."""
        if isinstance(self.event, Closed | Replaced):
            return self.event.until
        of = self.seen.of.get(self.event.row)
        return of.until if of else 0

    @property
    def opens(self) -> bool:
        """True if the heartbeat or unregistration is the first one on its connection."""
        return self.event.row in self.seen.opens

    @property
    def keeps(self) -> bool:
        """True if the broker lists an earlier connection for longer than the newest one before this event."""
        ends = [self._listed_until.get(one.port, -1) for one in self._before]
        return len(ends) > 1 and ends[-1] < max(ends[:-1])

    @property
    def lasts(self) -> bool:
        """True if the broker still lists the newest connection before this event."""
        before = self._before
        return bool(before) and self._listed_until.get(before[-1].port, -1) > self.event.at

    @property
    def _before(self) -> list[Connection]:
        """The member's connections before that of the event."""
        every = self.seen.connections
        return every[: next(place for place, one in enumerate(every) if one is self.seen.of[self.event.row])]

    @property
    def belated(self) -> bool:
        """True if the heartbeat arrived when the member already used a newer connection."""
        return self.roll.heard[self.event.row] >= self.until

    @cached_property
    def _listed_until(self) -> Mapping[int, int]:
        """Port -> earliest time in ms of the last poll that lists it."""
        every = (
            (one, row.at - self.roll.span(row, 1))
            for row in self.roll.rows
            for one, of in self.roll.shown[row.row][1].items()
        )
        return {one.port: at for one, at in every if one.client_id == self.one.client_id}

    @property
    def about(self) -> bool:
        """True if the heartbeat names the group."""
        event = self.event
        return about(event.said if isinstance(event, b.Heard) else event.asked, self.roll.group)

    @property
    def took(self) -> int:
        """Milliseconds from the sending of the request to its answer."""
        event: Event = self.event
        return max(LOOK, event.at - self.roll.asked.get(event.row, event.at))

    @property
    def polled(self) -> int:
        """Longest time in ms from the poll to its event."""
        event: Event = self.event
        if isinstance(event, Closed):
            return min(self.unused, event.after - 1 if event.after else self.roll.span(event, 2))
        return event.after - 1 if isinstance(event, Unchanged) else self.roll.span(event, 1)

    @property
    def unused(self) -> int:
        """Milliseconds since the last request on the connection, or since its opening if that is later."""
        event: Closed | Replaced = self.event
        uses = (when for when, port in self.uses if port == event.port and when < event.at)
        opened = (one.since for one in self.seen.connections if one.port == event.port and one.since <= event.at)
        return event.at - max((*uses, *opened), default=0)

    @property
    def named(self) -> bool:
        """True if the list of ids in the answer contains the member's."""
        return self.one.client_id in (self.event.said.ids or ())

    @property
    def alike(self) -> bool:
        """True if polls around the answer list the same id for another process."""
        roll, event = self.roll, self.event
        first = max(bisect_right(roll.rows, event.at - self.took, key=lambda one: one.at) - 1, 0)
        near = roll.rows[first : bisect_right(roll.rows, event.at + STALL, key=lambda one: one.at)]
        return any(
            one.client_id == self.one.client_id and of != self.one
            for row in near
            for one, of in (*roll.shown[row.row][0].items(), *roll.shown[row.row][1].items())
        )

    def listed(self, now: int) -> tuple[bool, bool]:
        """Return whether the poll lists the member's newest connection at a time, and an earlier one."""
        event = self.event
        shown = self.roll.listed(event.is_, event.at)
        ports = {one.port for one, of in shown.items() if of == self.one}
        newest = self._newest(now)
        return newest in ports, any(port != newest for port in ports)

    @property
    def left(self) -> bool:
        """True if the poll lists connections of other members."""
        after = self.roll.shown.get(self.event.row, ({}, {}))[1]
        return any(of != self.one for of in after.values())

    @property
    def ends(self) -> bool:
        """True if the end of the newest connection has a cause.

        The process ends, the connection was idle for long, or the next heartbeat or last request uses another one.
        """
        event: Closed | Replaced = self.event
        at, port, trace = event.at, event.port, self.trace
        if not self.known or trace.ending(self.roll.broker, at):
            return True
        until = self.end if self.end is not None and self.end >= at else trace.end
        if any(at < when <= until and used == port for when, used in self.uses):
            return False
        place = bisect_right(self.uses, (at, FAR))
        if place and self.uses[place - 1][1] != port:
            return True
        place = bisect_right(self.ports, (at, FAR))
        if place < len(self.ports) and self.ports[place][0] < until:
            return self.ports[place][1] != port
        last = self.ports[place - 1][0] if place else 0
        late = at > trace.end - BEAT_GAP - STALL
        ended = late or (self.end is not None and self.end <= at)
        return ended or at - last >= EXPIRED - BEAT_GAP or bool(self.byes)

    @property
    def quiet(self) -> bool:
        """True if no remaining member was notified of the change."""
        row = self.roll.row_of.get(self.event.row)
        return row is not None and self.roll.quiet(row)

    @property
    def lost(self) -> bool:
        """True if the broker may not learn that the connections of the process have ended."""
        roll, at = self.roll, self.event.at
        return self.trace.delayed(roll.broker, at, at) and not self.trace.ending(roll.broker, at)

    @property
    def stays(self) -> bool:
        """True if the process has a connection that the broker lists before and after the change."""
        return self.known and bool(self._mine)

    @property
    def _mine(self) -> set[b.Member]:
        before, after = self.roll.shown[self.event.row]
        return {one for one, of in before.items() if of == after.get(one) == self.one}

    @property
    def told(self) -> bool:
        """True if the process was notified of the change, or its notification may not be recorded."""
        roll, trace, at = self.roll, self.trace, self.event.at
        before, after = ({*each} for each in roll.shown[self.event.row])
        gone = before - after
        if trace.ending(roll.broker, at) or roll.how["off"]:
            return True
        if gone and not after - before and roll.expired(gone, at):
            return True
        since, until = at - POLLED, at + roll.sending
        if trace.stood(self.who, since, until) or trace.stood(roll.broker, since, until):
            return True
        if self.life[0].at > since or not trace.alive(self.who, since, until):
            return True
        if trace.delayed(roll.broker, since, until):
            return True  # the client may have closed the connection without an answer, so the notification is lost
        if any(since - STALL <= one <= until for one in self.byes):
            return True
        return any(since <= one.at <= until for one in self.notes)

    @property
    def unreachable(self) -> bool:
        """True if the member's next heartbeat comes over another connection than the listed ones.

        The broker sends notifications over a listed connection, which the client may have closed (rocketmq#7870).
        """
        ports = {one.port for one in self._mine}
        following = next((port for at, port in self.ports if at > self.event.at), None)
        return following is not None and following not in ports

    @property
    def own(self) -> bool:
        """True if the process has received the notification."""
        return self.known and self.event.who == self.who

    @property
    def caused(self) -> bool:
        """True if the group has changed before the notification."""
        at, roll = self.event.at, self.roll
        since = at - roll.sending
        late = self.trace.slack(self.who, since, at) + self.trace.stood(roll.broker, since, at)
        place = bisect_left(roll.changes, since - late)
        return place < len(roll.changes) and roll.changes[place] <= at + POLLED

    @property
    def alone(self) -> bool:
        """True if only a change of this member can have caused the notification."""
        return any(self.event is one for one in self._alone)

    @property
    def grown(self) -> bool:
        """True if the rebalance uses the topic's new queues."""
        return bool(self.event.mq_all == self.queues)

    def scans_within(self, since: int, limit: int) -> int | None:
        """Return the longest time in ms between two scans since a time, or None if the broker was away."""
        broker, until = self.roll.broker, self.event.at
        if any(begin <= until and since <= end for begin, end in self.trace.away(broker)):
            return None
        return limit + self.trace.stood(broker, since, until)


def memberships(trace: Trace, calls: Calls) -> Iterator[Membership]:
    """Yield the histories of all members of recorded groups at all brokers."""
    for broker in trace.brokers:
        for group in dict.fromkeys(started.group for started in trace.consumers.values()):
            roll = Roll(trace, calls, broker, group)
            yield from (Membership(roll, one) for one in [*roll.own])


def _is_beat(event: b.Heard | b.Answered, group: str) -> bool:
    return isinstance(event, b.Heard) and event.code == BEAT and about(event.said, group)
