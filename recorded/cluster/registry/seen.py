"""One group member's events at a broker: heartbeats, unregistrations, polls of members."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

from rebalance_proofs.recorded.cluster.beats import SENDING, how, sending
from rebalance_proofs.recorded.cluster.beats import row as topics_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.driver import Delay, Partition
from rebalance_proofs.recorded.groups.event import BEAT, BYE, Event, Request
from rebalance_proofs.recorded.groups.member import Notified
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind


@dataclass
class Seen:
    """One group member at one broker: all its events in the broker's file, sorted by time."""

    broker: str
    group: str
    client_id: str
    who: str | None
    """The recorded consumer; None if the member wrote no events."""
    events: list[tuple[int, int, Event]] = field(default_factory=list)
    ports: list[tuple[int, str]] = field(default_factory=list)
    """The member's heartbeats, each as (time in ms, port of its connection)."""

    uses: list[tuple[int, str]] = field(default_factory=list)
    """Arrived requests of the recorded consumer, each as (time in ms, port of its connection)."""

    def newest_port(self, at: int) -> str | None:
        """Return the port of the member's last request before the time ``at``."""
        place = bisect_right(self.uses, (at, "~"))
        return self.uses[place - 1][1] if place else None

    def next_port(self, at: int, until: float = inf) -> str | None:
        """Return the port of the member's first heartbeat after ``at``, if it comes before ``until``."""
        place = bisect_right(self.ports, (at, "~"))
        return self.ports[place][1] if place < len(self.ports) and self.ports[place][0] < until else None


def members_seen(trace: Trace, calls: Calls) -> Iterable[Seen]:
    """Return all members of recorded groups, at each broker."""
    found: dict[tuple[str, str, str, str | None], Seen] = {}
    groups = {started.group for started in trace.consumers.values()}
    for broker in trace.brokers:
        rows: list[b.Table | b.BrokerStarting] = []
        for event in trace.of[broker]:
            if isinstance(event, (b.Heard, b.Answered)) and event.code in (BEAT, BYE):
                said = event.said if isinstance(event, b.Heard) else event.asked
                for group in groups_of(said):
                    if group in groups and said.client_id:
                        owner = calls.owner(event)
                        key = broker, group, said.client_id, owner
                        one = found.setdefault(key, Seen(*key))
                        one.events.append((event.at, event.row, event))
                        if isinstance(event, b.Heard) and event.code == BEAT:
                            one.ports.append((event.at, _port(event.from_)))
            elif isinstance(event, b.BrokerStarting) or (isinstance(event, b.Table) and event.what == "members"):
                rows.append(event)
        for one in found.values():
            if one.broker == broker:
                mine = (row for row in rows if isinstance(row, b.BrokerStarting) or row.of == one.group)
                one.events += [(row.at, row.row, row) for row in mine]
                one.events.sort(key=lambda each: each[:2])
                asked = calls.all[one.who] if one.who else ()
                one.uses = sorted(
                    (call.ask.at, _port(call.port)) for call in asked if call.port and call.broker == broker
                )
    return found.values()


def groups_of(said: Request) -> list[str]:
    """Return the groups in a heartbeat or an unregistration."""
    return [one.group for one in said.groups or ()] or ([said.consumer_group] if said.consumer_group else [])


def _port(end: str) -> str:
    return end.rpartition(":")[2]


# Check which members a broker notifies when one member's connections change.

WRITTEN = 500
"""Longest time in ms from a poll to its event; a poll that is written later is not used."""


class Told:
    """Notifications of one member's group, as far as they concern changes of this member."""

    def __init__(self, trace: Trace, seen: Seen) -> None:
        self.trace, self.seen = trace, seen
        group = seen.group
        rows = [row for row in trace.kind(b.Table, seen.broker) if row.of == group]
        self.changes = [(row.at, self._own(row)) for row in rows if row.what == "members" or _topics_differ(row)]
        """Changes of the group, as (time of the poll in ms, whether only this member changed)."""
        self.notes = [
            note
            for who, started in trace.consumers.items()
            for note in trace.kind(Notified, who)
            if started.group == group and len(trace.brokers) == 1
        ]
        """Notifications that the group's members received.

        Notifications name no broker, so the list is empty if there are several brokers.
        """
        self.how = how(trace, seen.broker)

    def _own(self, row: b.Table) -> bool:
        """Return True if in a polled change of the group only this member's connections changed."""
        if row.what != "members":
            return False
        differ = set(b.members(row.was)) ^ set(b.members(row.is_))
        return bool(differ) and all(one.client_id == self.seen.client_id for one in differ)

    def events(self) -> Iterator[tuple[int, int, Event]]:
        """Yield notifications about changes of only this member, as (time in ms, line number, event).

        The time is that of the event which records the poll.
        """
        longest = sending(self.trace, self.seen.broker)
        for note in self.notes:
            since = note.at - longest - self.trace.stood(note.who, note.at - SENDING, note.at)
            if any(own and since <= at <= note.at + LOOK + WRITTEN for at, own in self.changes):
                yield note.at + LOOK + WRITTEN, note.row, note

    def others_changed(self, note: Notified) -> bool:
        """Return True if another change can have caused the notification.

        Also return True if the notification is too late to be sure.
        """
        if self.how["later"]:
            return False
        since = note.at - SENDING - self.trace.slack(note.who, note.at - SENDING, note.at)
        return any(not own and since <= at <= note.at + STALL for at, own in self.changes)

    def nobody(self, row: b.Table) -> bool:
        """Return True if no remaining member was notified although all would have been: only a scan does that.

        The scan for idle connections sends no notification.
        """
        if self.how["later"] or self.how["off"] or len(self.trace.brokers) != 1 or not row.was or not row.is_:
            return False
        before, after = set(b.members(row.was)), set(b.members(row.is_))
        if after - before:
            return False
        stay = [one for one in before & after if self._hears(one, row.at)]
        since, until = row.at - LOOK - SENDING, row.at + SENDING
        return bool(stay) and not any(since <= note.at <= until for note in self.notes)

    def _hears(self, member: b.Member, at: int) -> bool:
        """Return True if a notification to the connection ``member`` would have been recorded.

        Its process must be alive, and the driver must not delay messages.
        """
        of_driver = self.trace.of[DRIVER]
        delays = [one.at for one in (*of_kind(of_driver, Delay), *of_kind(of_driver, Partition)) if one.at <= at]
        for who in self.trace.consumers:
            ids = {event.client_id for event in self.trace.of[who] if hasattr(event, "client_id")}
            if member.client_id not in ids:
                continue
            uses = [each.at for each in self._uses(member.port)]
            busy = bool(uses) and uses[0] < at - SENDING and uses[-1] > at + SENDING
            fresh = not delays or (bool(uses) and uses[0] > delays[-1])
            stood = self.trace.stood(who, at - SENDING, at + SENDING)
            stood += self.trace.stood(self.seen.broker, at - SENDING, at + SENDING)
            return busy and fresh and not stood and self.trace.alive(who, at - SENDING, at + SENDING)
        return False

    def _uses(self, port: int) -> list[b.Heard]:
        end = f":{port}"
        return [event for event in self.trace.kind(b.Heard, self.seen.broker) if event.from_.endswith(end)]


def _topics_differ(row: b.Table) -> bool:
    """Return True if the group's topics changed in a polled row of the table of subscriptions.

    Other versions and expressions of the same topics cause no notification.
    """
    return row.what == "subs" and topics_of(row.was).keys() != topics_of(row.is_).keys()
