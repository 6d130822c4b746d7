"""Check that each received request was sent, and that each answer has a request.

Each connection must keep the order of its requests.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rebalance_proofs.recorded.cluster.tally import MONITORS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard, Table, members
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    BYE,
    ENDS,
    LIST,
    LOCK,
    PULL,
    QUERY,
    RESET,
    SEARCHES,
    UNLOCK,
    UPDATE,
    Event,
    Request,
)
from rebalance_proofs.recorded.groups.member import Answer, Ask

MACHINE = "requests"
HEARD = (BEAT, BYE, LOCK, UNLOCK, RESET)
"""Request codes whose arrival a broker records."""
WAITED = (BEAT, LOCK, LIST, QUERY, ENDS)
"""Request codes whose sender waits for the answer."""
LEAST_WAIT = 1_000
"""Shortest time-out in ms of the requests in ``WAITED``.

``lockBatchMQ`` waits a second, the others longer.
"""
MOST_WAIT = 6_000
"""Longest time-out in ms of the requests in ``WAITED``: twice ``mqClientApiTimeout``.

A client can need the first half to connect.
"""
ALL = (*HEARD, *WAITED, UPDATE, "GET_MIN_OFFSET", SEARCHES)
"""Request codes whose answers a broker records."""
ANSWERS_TO: Mapping[int | None, str] = {22: QUERY, 23: PULL, 24: PULL, 25: PULL}
"""Response code (``ResponseCode``) -> the only request code whose answers have it."""


WITHIN = 60_000
"""Longest time in ms from sending a request to its answer, unless the broker paused."""
REUSED = 1_000
"""Shortest time in ms after a connection's last request in which its port belongs to another connection.

A client's system can use a port again a second after its connection was closed.
"""


@dataclass
class Connection:
    """One connection of a client to a broker: a port for some time."""

    number: int
    votes: Counter[str] = field(default_factory=Counter)
    """Recorded consumer -> number of requests that only it has sent."""
    first: int = 0
    last: int = 0
    """Times in ms of the first and last request or answer."""
    client_id: str | None = None
    closed: bool = False
    """True if a poll of the broker's members has shown the connection's end."""

    @property
    def owner(self) -> str | None:
        """The consumer that opened the connection; None if the client was not recorded."""
        return self.votes.most_common(1)[0][0] if self.votes else None

    def is_over(self, event: Heard | Answered, said: Request, near: Collection[str]) -> bool:
        """Return True if the event belongs to a later connection that has the same port.

        ``near``: the consumers that have sent such a request. An event of no consumer begins a connection on a recorded
        consumer's port only if that consumer's connection is known to be closed, or was silent for long.
        """
        idle = event.at - self.last
        if near and self.owner is not None:
            return idle >= REUSED and self.owner not in near
        other = None not in (said.client_id, self.client_id) and said.client_id != self.client_id
        return other and idle >= (REUSED if self.closed or self.owner is None else WITHIN)

    def add(self, event: Heard | Answered, said: Request, near: Collection[str]) -> None:
        """Add an event of this connection."""
        self.last, self.client_id = event.at, self.client_id or said.client_id
        if len(near) == 1:
            self.votes.update(near)


@dataclass
class Call:
    """One request, with the events that the client and the broker recorded about it."""

    ask: Ask
    broker: str = ""
    port: str = ""
    connection: int = 0
    """Number of the connection; a port that is used again belongs to another connection."""
    heard: Heard | None = None
    answered: Answered | None = None
    answer: Answer | None = None


def _content(said: Request) -> tuple[object, ...]:
    groups = None if said.groups is None else tuple((one.group, tuple(one.subs.items())) for one in said.groups)
    return said.q, said.consumer_group, said.client_id, said.queues, groups, said.commit_offset, said.sub_version


@dataclass
class Calls:
    """All requests of a run, matched between clients and brokers."""

    trace: Trace
    strange: list[Unexplained] = field(default_factory=list)
    """Unexpected events: received requests that no client sent, and answers without a request."""
    foreign: int = 0
    """Number of requests on connections of clients that were not recorded."""

    @cached_property
    def all(self) -> Mapping[str, list[Call]]:
        """Consumer name -> its requests, sorted by time."""
        found: dict[str, list[Call]] = {}
        for who in self.trace.consumers:
            found[who] = []
            open_: dict[int, Call] = {}
            for event in self.trace.of[who]:
                if isinstance(event, Ask):
                    found[who].append(call := Call(event))
                    open_[event.opaque] = call
                elif isinstance(event, Answer):
                    known = open_.get(event.opaque)
                    if known is None or known.ask.code != event.code or known.answer is not None:
                        self.strange.append(Unexplained(event, f"no {event.code} {event.opaque} was sent before"))
                    else:
                        known.answer = event
        self._match(found)
        return found

    def answered(self, who: str, life: Sequence[Event], *codes: str) -> Mapping[tuple[str, int], Call]:
        """Return the answered requests of one process, by (broker, line number of the answer).

        ``who``: the process's name; ``life``: its events; ``codes``: request codes.
        """
        first, last = min(event.row for event in life), max(event.row for event in life)
        own = (call for call in self.all[who] if call.ask.code in codes and first <= call.ask.row <= last)
        return {(call.broker, call.answered.row): call for call in own if call.answered}

    @cached_property
    def connections(self) -> Mapping[tuple[str, int], "Connection"]:
        """(broker, line number) of a request's arrival or answer -> its connection."""
        _ = self.all
        return self._connections

    def opener(self, broker: str, port: int, at: int) -> str | None:
        """Return the consumer that had a connection from ``port`` at the time ``at``; None if it is not known."""
        _ = self.all
        of = self._ports.get((broker, str(port)), [])
        return next((one.owner for one in reversed(of) if one.first <= at), None)

    def owner(self, event: Heard | Answered) -> str | None:
        """Return the consumer that opened the connection of a request; None if it was not recorded."""
        found = self.connections.get((event.who, event.row))
        return found.owner if found else None

    def _match(self, found: Mapping[str, list[Call]]) -> None:
        asked: defaultdict[tuple[object, ...], list[tuple[str, Call]]] = defaultdict(list)
        for who, calls in found.items():
            for call in calls:
                asked[call.ask.code, call.ask.opaque, _content(call.ask.said)].append((who, call))
        self._connections: dict[tuple[str, int], Connection] = {}
        self._ports: defaultdict[tuple[str, str], list[Connection]] = defaultdict(list)
        for broker in self.trace.brokers:
            open_: dict[str, Connection] = {}
            for event in self.trace.of[broker]:
                if isinstance(event, Table) and event.what == "members":
                    gone = {*members(event.was)} - {*members(event.is_)}
                    ports = {str(one.port) for one in gone}
                    for end, one in open_.items():
                        one.closed |= end.rpartition(":")[2] in ports
                if not isinstance(event, Heard | Answered):
                    continue
                said = event.said if isinstance(event, Heard) else event.asked
                known = asked[event.code, event.opaque, _content(said)]
                near = {who for who, call in known if _near(self.trace, broker, call, event)}
                last = open_.get(event.from_)
                if last is None or last.is_over(event, said, near):
                    last = open_[event.from_] = Connection(len(self._connections), first=event.at)
                    self._ports[broker, event.from_.rpartition(":")[2]].append(last)
                last.add(event, said, near)
                self._connections[broker, event.row] = last
        for broker in self.trace.brokers:
            for event, said in _arrivals(self.trace, broker):
                one = self._connections[broker, event.row]
                if one.owner is None:
                    self.foreign += 1
                    continue
                known = asked[event.code, event.opaque, _content(said)]
                own = [call for who, call in known if who == one.owner and _near(self.trace, broker, call, event)]
                if not own:
                    why = f"{one.owner} has not sent {event.code} {event.opaque} with these values before"
                    self.strange.append(Unexplained(event, why))
                    continue
                own[-1].connection = one.number
                self._place(own[-1], broker, event)

    def _place(self, call: Call, broker: str, event: Heard | Answered) -> None:
        call.broker, call.port = broker, event.from_
        if isinstance(event, Heard):
            if call.heard is not None:
                self.strange.append(Unexplained(event, f"{event.code} {event.opaque} was received before"))
            call.heard = event
            return
        if call.answered is not None:
            self.strange.append(Unexplained(event, f"{event.code} {event.opaque} was answered before"))
        if event.code in HEARD and call.heard is None:
            self.strange.append(Unexplained(event, f"{event.code} {event.opaque} was not received before"))
        call.answered = event


def _near(trace: Trace, broker: str, call: Call, event: Heard | Answered) -> bool:
    since, until = call.ask.at, event.at
    return since <= until and until - since < WITHIN + (until - since > WITHIN and trace.stood(broker, since, until))


def _arrivals(trace: Trace, broker: str) -> Iterator[tuple[Heard | Answered, Request]]:
    for event in trace.of[broker]:
        if isinstance(event, Heard):
            yield event, event.said
        elif isinstance(event, Answered):
            yield event, event.asked


def check(trace: Trace, calls: Calls) -> Tally:
    """Check that client and broker recorded the same requests and answers."""
    tally = Tally(MACHINE, MONITORS)
    for who, asked in calls.all.items():
        tally.about += 1
        tally.events += len(asked)
        for rule in (_heard, _answered):
            try:
                for name in rule(trace, who, asked):
                    tally.shown[name] += 1
                    tally.widened += name == "unheard"
            except Unexplained as found:
                tally.reject(who, found)
    for broker in trace.brokers:
        try:
            _connections(trace, calls, broker)
        except Unexplained as found:
            tally.reject(broker, found)
    for strange in calls.strange:
        tally.reject(strange.event.who, strange)
    tally.events += calls.foreign
    tally.shown["of-nobody-recorded"] = calls.foreign
    return tally


def _connections(trace: Trace, calls: Calls, broker: str) -> None:
    """Check that each connection to a broker belongs to one client.

    Each answer must repeat the values of its request, and have a code that answers to such requests can have.
    """
    heard: dict[tuple[str, int], Heard] = {}
    for event, said in _arrivals(trace, broker):
        owner = calls.connections[broker, event.row].client_id
        if said.client_id and owner != said.client_id:
            raise Unexplained(event, f"the connection {event.from_} belongs to {owner}")
        if isinstance(event, Answered) and ANSWERS_TO.get(event.said.code, event.code) != event.code:
            raise Unexplained(event, f"no answer to {event.code} has the code {event.said.code}")
        if isinstance(event, Heard):
            heard[event.from_, event.opaque] = event
        elif event.code in HEARD:
            before = heard.pop((event.from_, event.opaque), None)
            if before is None or before.code != event.code or _content(before.said) != _content(said):
                raise Unexplained(event, f"no such {event.code} was received from {event.from_} before")
    for event in heard.values():
        if _there(trace, broker, event.at) and trace.end - event.at > 10_000:
            raise Unexplained(event, f"{event.code} {event.opaque} of {event.from_} was never answered")


def _heard(trace: Trace, who: str, asked: Iterable[Call]) -> Iterator[str]:
    """Check the order of requests on each connection.

    If a request has arrived, all earlier ones have arrived.
    """
    of_port: defaultdict[tuple[str, int], list[Call]] = defaultdict(list)
    for call in asked:
        if call.port:
            of_port[call.broker, call.connection].append(call)
    spans = {end: (calls[0].ask.at, calls[-1].ask.at) for end, calls in of_port.items()}
    to = {calls[0].ask.to: end[0] for end, calls in of_port.items()}
    for call in asked:
        if call.ask.code not in ALL or call.ask.to not in to:
            continue
        within = [
            end for end, (first, last) in spans.items() if end[0] == to[call.ask.to] and first < call.ask.at < last
        ]
        if not within or call.port:
            yield "heard"
        elif _steady(trace, who, to[call.ask.to], call.ask.at):
            raise Unexplained(
                call.ask,
                f"the broker never received {call.ask.code} {call.ask.opaque}, but later requests of that connection",
            )


def _there(trace: Trace, broker: str, at: int) -> bool:
    """Return True if the broker ran without a pause for some time around ``at``."""
    restarts = [event.at for event in trace.kind(BrokerStarting, broker)][1:]
    still = trace.stood(broker, at - STALL, at + 10_000)
    return not still and all(abs(one - at) > 30_000 for one in [*trace.killed(broker), *restarts])


def _cut_off(trace: Trace, call: Call, at: int) -> bool:
    """Return True if the request's connection was closed soon after the time ``at``.

    A client closes a connection when an answer is late.
    """
    end = f":{call.port.rpartition(':')[2]}"
    rows = (row for row in trace.kind(Table, call.broker) if row.what == "members" and at <= row.at <= at + 2 * STALL)
    return any(_has(row.was, end) and not _has(row.is_, end) for row in rows)


def _has(members: str | None, end: str) -> bool:
    return any(one.endswith(end) for one in (members or "").split())


def _steady(trace: Trace, who: str, broker: str, at: int) -> bool:
    """Return True if broker and process ran without a pause for some time around ``at``."""
    return _there(trace, broker, at) and not trace.stood(who, at - STALL, at + 10_000)


def _answered(trace: Trace, who: str, asked: Iterable[Call]) -> Iterator[str]:
    """Check that each request was sent, received and answered in this order and in time.

    Its content must not change.
    """
    for call in asked:
        if call.heard and call.answered and call.heard.at > call.answered.at:
            raise Unexplained(call.answered, f"{call.ask.code} {call.ask.opaque} was received later")
        if call.heard and not call.answered and _steady(trace, who, call.broker, call.heard.at):
            raise Unexplained(call.heard, f"{call.ask.code} {call.ask.opaque} was never answered")
        if call.answer and call.answered:
            if call.answer.at < call.answered.at:
                raise Unexplained(call.answer, f"{call.ask.code} {call.ask.opaque} was answered later")
            took = call.answer.at - call.ask.at
            if call.ask.code in WAITED and took > MOST_WAIT + trace.slack(who, call.ask.at, call.answer.at):
                raise Unexplained(call.answer, f"{call.ask.code} {call.ask.opaque} was sent {took} ms before")
            same = ("code", "ids", "granted", "offset")
            differ = [name for name in same if getattr(call.answer.said, name) != getattr(call.answered.said, name)]
            if differ:
                raise Unexplained(call.answer, f"the broker answered another {differ[0]}")
        if call.answer and not call.answered and call.ask.code in ALL:
            if not trace.unheard(call.ask.at, call.answer.at):
                raise Unexplained(call.answer, f"no broker answered {call.ask.code} {call.ask.opaque}")
            yield "unheard"
        if call.answered and not call.answer and call.ask.code in WAITED and not call.ask.oneway:
            at = call.answered.at
            soon = at - call.ask.at < LEAST_WAIT - LEAST_WAIT // 4
            soon &= not trace.delayed(call.broker, call.ask.at, at) and not _cut_off(trace, call, at)
            if soon and trace.alive(who, call.ask.at, at + STALL) and _steady(trace, who, call.broker, at):
                raise Unexplained(call.ask, f"the answer to {call.ask.code} {call.ask.opaque} never came")
        yield "answered"
