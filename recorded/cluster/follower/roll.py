"""One group's member list at one broker, as a recording shows it: heartbeats, polls of the list, and notifications."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import SENDING, about, how, sending
from rebalance_proofs.recorded.cluster.beats import row as topics_of
from rebalance_proofs.recorded.cluster.follower.place import POLLED
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.driver import Delay, Partition
from rebalance_proofs.recorded.groups.event import BEAT, BYE, LIST, Event
from rebalance_proofs.recorded.groups.member import Notified
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

FAR = 1 << 60
"""A time after the end of all recordings, in ms."""
EXPIRED = number(DEFAULTS.expired)
Listed = Mapping[b.Member, "Id | None"]
"""The connections in a polled list, each with its member."""


class Id(NamedTuple):
    """One member: a client id, and the process that has it."""

    client_id: str
    who: str
    """The recorded consumer; empty if the member wrote no events."""
    life: int
    """Number of the process among those with the consumer's name."""


@dataclass
class Connection:
    """A connection over which a member sends heartbeats or an unregistration to a broker."""

    port: int
    since: int
    """Time in ms of the first heartbeat or unregistration."""
    beat: int
    """Time in ms of the first heartbeat; ``FAR`` if there is none."""
    until: int = FAR
    """Time in ms from which the member uses its next connection."""


@dataclass
class Own:
    """What a broker recorded of one member."""

    events: list[b.Heard | b.Answered] = field(default_factory=list)
    """The member's heartbeats and unregistrations, by time."""
    connections: list[Connection] = field(default_factory=list)
    """The member's connections, by the time of the first request."""
    of: dict[int, Connection] = field(default_factory=dict)
    """Line number in the broker's file -> the connection of the event."""
    opens: set[int] = field(default_factory=set)
    """Line numbers of the first heartbeats or unregistrations of the connections."""


class Roll:
    """What a recording shows of one group at one broker; the events of all its members."""

    def __init__(self, trace: Trace, calls: Calls, broker: str, group: str) -> None:
        self.trace, self.calls, self.broker, self.group = trace, calls, broker, group
        self.consumers = [who for who, started in trace.consumers.items() if started.group == group]
        self.starts = [one.at for one in trace.kind(b.BrokerStarting, broker)]
        tables = [one for one in trace.kind(b.Table, broker) if one.of == group]
        self.rows = [one for one in tables if one.what == "members"]
        self.place = {one.row: place for place, one in enumerate(self.rows)}
        """Line number of a poll -> its place in ``rows``."""
        self.topics = [one for one in tables if _topics_differ(one)]
        self.row_of = {one.row: one for one in self.rows}
        self.answers = [one for one in trace.kind(b.Answered, broker) if one.code == LIST]
        self.answers = [one for one in self.answers if one.asked.consumer_group == group]
        self.how, self.sending = how(trace, broker), sending(trace, broker)
        self.notes = [note for who in self.consumers for note in trace.kind(Notified, who)]
        self.notes = [note for note in self.notes if note.said.consumer_group == group]
        self.asked: dict[int, int] = {}
        """Line number of an answer or of an arrival -> time in ms of the request."""
        self.heard: dict[int, int] = {}
        """Line number of the answer to a heartbeat or an unregistration -> time in ms of its arrival."""
        self.uses: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        """Consumer -> its requests that arrived, each as (time in ms, port of its connection), by time."""
        self.lives = {who: [*trace.lives(who)] for who in self.consumers}
        self.own: defaultdict[Id, Own] = defaultdict(Own)
        self._collect()

    def _collect(self) -> None:
        for who in self.consumers:
            for call in self.calls.all[who]:
                if call.broker == self.broker and call.port:
                    self.uses[who].append((call.ask.at, port_of(call.port)))
                    self.asked.update({one.row: call.ask.at for one in (call.heard, call.answered) if one})
            self.uses[who].sort()
        arrived: dict[tuple[str, int], int] = {}
        ids: dict[tuple[int, int], Id] = {}
        for event in self.trace.of[self.broker]:
            if not isinstance(event, b.Heard | b.Answered) or event.code not in (BEAT, BYE):
                continue
            if isinstance(event, b.Heard):
                arrived[event.from_, event.opaque] = event.at
                said = event.said
            else:
                self.heard[event.row] = arrived.get((event.from_, event.opaque), event.at)
                said = event.asked
            key = self._number(event)
            if said.client_id and (said.consumer_group == self.group or about(said, self.group)):
                self._add(self._id(event, said.client_id), event, key)
                ids[key] = self._id(event, said.client_id)
            elif key in ids and event.code == BEAT:  # a heartbeat for other groups of the process
                self._add(ids[key], event, key)
        for one in self.rows:
            for listed in b.members(one.is_):
                if self.owner(listed, one.at) is None:
                    self._stranger(listed.client_id, listed.port)
        known = {one.client_id for one in self.own}
        for answer in self.answers:
            for name in {*(answer.said.ids or ())} - known:
                self.own[Id(name, "", 0)] = self.own[Id(name, "", 0)]

    def _number(self, event: b.Heard | b.Answered) -> tuple[int, int]:
        """Return the number of the event's connection, and of the broker's process."""
        return self.calls.connections[event.who, event.row].number, bisect_right(self.starts, event.at)

    def _id(self, event: b.Heard | b.Answered, client_id: str) -> Id:
        who = self.calls.owner(event) or ""
        if who not in self.lives:
            return Id(client_id, "", 0)
        at = self.asked.get(event.row, event.at)
        return Id(client_id, who, max(sum(life[0].at <= at for life in self.lives[who]) - 1, 0))

    def _add(self, one: Id, event: b.Heard | b.Answered, key: tuple[int, int]) -> None:
        own, known = self.own[one], self._known[one]
        if isinstance(event, b.Heard) and key not in known and (about(event.said, self.group) or _is_bye(event)):
            last = own.connections[-1] if own.connections else None
            port, beat = port_of(event.from_), FAR if _is_bye(event) else event.at
            if last and last.since < last.beat:  # a member that has left opens no further connection
                known[key], last.port, last.beat = last, port, min(last.beat, beat)
            elif last or not _is_bye(event):
                known[key] = Connection(port, event.at, beat)
                own.connections.append(known[key])
                own.opens.add(event.row)
                if last:
                    last.until = event.at
        own.events.append(event)
        if key in known:
            own.of[event.row] = known[key]

    @cached_property
    def _known(self) -> dict[Id, dict[tuple[int, int], Connection]]:
        return defaultdict(dict)

    def _stranger(self, client_id: str, port: int) -> None:
        """Add a listed connection without a heartbeat."""
        self.own[Id(client_id, "", 0)].connections.append(Connection(port, -1, -1, 0))

    def owner(self, listed: b.Member, at: int) -> Id | None:
        """Return the member that had a listed connection at a time."""
        return max(
            ((one.since <= at, one.since if one.since <= at else -one.since, key)
             for key, own in self.own.items() if key.client_id == listed.client_id
             for one in own.connections if one.port == listed.port),
            default=(False, 0, None),
        )[2]  # fmt: skip

    def listed(self, text: str | None, at: int) -> Listed:
        """Return the listed connections, each with its member."""
        if (text, at) not in self._listed:
            self._listed[text, at] = {one: self.owner(one, at) for one in b.members(text)}
        return self._listed[text, at]

    @cached_property
    def _listed(self) -> dict[tuple[str | None, int], Listed]:
        return {}

    @cached_property
    def shown(self) -> Mapping[int, tuple[Listed, Listed]]:
        """Line number of a poll -> the connections before and after, each with its member."""
        return {one.row: (self.listed(one.was, one.at), self.listed(one.is_, one.at)) for one in self.rows}

    def span(self, event: Event, polls: int) -> int:
        """Return the longest time in ms from a change to the event of the poll that sees it.

        The recorder polls a row after it has written its last change. ``polls``: 1 for the time since the poll, 2 for
        the time since the poll before.
        """
        place = self.place[event.row]
        longest = POLLED + self.trace.stood(self.broker, event.at - POLLED, event.at)
        return min(longest, event.at - self.rows[place - polls].at) if place >= polls else longest

    def row(self, at: int) -> b.Table | None:
        """Return the last poll of the list at a time, by the same process of the broker, or None."""
        place = bisect_right(self.rows, at, key=lambda one: one.at)
        found = self.rows[place - 1] if place else None
        start = bisect_right(self.starts, at)
        return found if found and bisect_right(self.starts, found.at) == start else None

    @cached_property
    def changes(self) -> list[int]:
        """Times in ms of all events that can cause a notification."""
        found = [one.at for one in self.trace.kind(b.Table, self.broker) if one.of == self.group]
        for one in self.trace.kind(b.Answered, self.broker):
            if (one.code == BEAT and about(one.asked, self.group)) or (
                one.code == BYE and one.asked.consumer_group == self.group
            ):
                found.append(one.at)
        return sorted(found)

    @cached_property
    def beats(self) -> Mapping[int, list[b.Heard]]:
        """Port -> heartbeats that came from it, by time."""
        found: defaultdict[int, list[b.Heard]] = defaultdict(list)
        for one in self.trace.kind(b.Heard, self.broker):
            if one.code == BEAT:
                found[port_of(one.from_)].append(one)
        return found

    @cached_property
    def requests(self) -> Mapping[int, list[int]]:
        """Port -> times in ms of the recorded requests that came from it."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for one in self.trace.kind(b.Heard, self.broker):
            found[port_of(one.from_)].append(one.at)
        return found

    @cached_property
    def ids(self) -> Mapping[str, set[str]]:
        """Consumer -> its client ids."""
        of = self.trace.of
        return {who: {one.client_id for one in of[who] if hasattr(one, "client_id")} for who in self.consumers}

    @cached_property
    def delays(self) -> list[int]:
        """Times in ms from which the driver delays or holds messages."""
        of_driver = self.trace.of[DRIVER]
        return sorted(one.at for one in (*of_kind(of_driver, Delay), *of_kind(of_driver, Partition)))

    def expired(self, gone: Iterable[b.Member], at: int) -> bool:
        """Return True if a scan for idle connections can have removed all these; it sends no notification."""
        beats = (one.at for each in gone for one in self.beats.get(each.port, ()))
        return all(at - one > EXPIRED or one > at for one in beats)

    def quiet(self, row: b.Table) -> bool:
        """Return True if no remaining member was notified although all would have been: only a scan does that."""
        if any(self.how.values()) or len(self.trace.brokers) != 1 or not row.was or not row.is_:
            return False
        before, after = {*b.members(row.was)}, {*b.members(row.is_)}
        if after - before:
            return False
        stay = [one for one in before & after if self._hears(one, row.at)]
        since, until = row.at - LOOK - SENDING, row.at + SENDING
        return bool(stay) and not any(since <= note.at <= until for note in self.notes)

    def _hears(self, listed: b.Member, at: int) -> bool:
        """Return True if a notification to a connection would have been recorded.

        Its process must be alive, and the driver must not delay messages.
        """
        delays = [one for one in self.delays if one <= at]
        uses, since, until = self.requests.get(listed.port, []), at - SENDING, at + SENDING
        who = next((who for who, ids in self.ids.items() if listed.client_id in ids), None)
        if who is None or not uses or uses[0] >= since or uses[-1] <= until or (delays and uses[0] <= delays[-1]):
            return False
        stood = self.trace.stood(who, since, until) + self.trace.stood(self.broker, since, until)
        return not stood and self.trace.alive(who, since, until)


def _is_bye(event: b.Heard) -> bool:
    return event.code == BYE


def port_of(end: str) -> int:
    return int(end.rpartition(":")[2])


def _topics_differ(row: b.Table) -> bool:
    """Return True if the group's topics changed in a polled row of the table of subscriptions.

    Other versions and expressions of the same topics cause no notification.
    """
    return row.what == "subs" and topics_of(row.was).keys() != topics_of(row.is_).keys()
