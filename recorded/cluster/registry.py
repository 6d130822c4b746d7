"""Membership at brokers: each look at a group's members, each list of ids and each notification is explained."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.machine.values import Not, Or, truth
from rebalance_proofs.model.registry.limits import DEFAULTS, Limits
from rebalance_proofs.model.registry.machine import REGISTRY
from rebalance_proofs.model.registry.state import Member, Said, Variant
from rebalance_proofs.recorded.cluster.clients import registry_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Notified, ShutdownBegin
from rebalance_proofs.recorded.groups.requests import Request

__all__ = ["MACHINE", "check"]

MACHINE = "registry"
BEAT, BYE, LIST = "HEART_BEAT", "UNREGISTER_CLIENT", "GET_CONSUMER_LIST_BY_GROUP"
NOW = {"off": 0, "later": 0}
"""The broker notifies at once, as shipped; nobody recorded another setting."""
SENDING = 5_000
"""How long a notification can be on its way, in ms; longer where a process stood still."""


@dataclass
class Seen:
    """One member of a group at one broker: all that a broker's file shows of it, by time."""

    broker: str
    group: str
    client_id: str
    who: str | None
    """The recorded consumer; None for one that wrote no events."""
    events: list[tuple[int, int, Event]] = field(default_factory=list)
    ports: list[tuple[int, str]] = field(default_factory=list)
    """When a heartbeat came, and by which port."""

    def next_port(self, at: int) -> str | None:
        """The port of the first heartbeat after that time."""
        place = bisect_right(self.ports, (at, "~"))
        return self.ports[place][1] if place < len(self.ports) else None


def check(trace: Trace, calls: Calls) -> Tally:
    """Find behaviours of all members at all brokers."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for seen in _members(trace, calls):
        tally.about += 1
        try:
            _Member(trace, seen, tally).held()
        except Unexplained as found:
            tally.reject(f"{seen.client_id} of {seen.group} at {seen.broker}", found)
    for broker in trace.brokers:
        for rule in (_lists, _notifications):
            try:
                rule(trace, broker, tally)
            except Unexplained as found:
                tally.reject(broker, found)
    return tally


def _members(trace: Trace, calls: Calls) -> Iterable[Seen]:
    found: dict[tuple[str, str, str, str | None], Seen] = {}
    groups = {started.group for started in trace.consumers.values()}
    for broker in trace.brokers:
        rows: list[b.Table | b.BrokerStarting] = []
        for event in trace.of[broker]:
            if isinstance(event, (b.Heard, b.Answered)) and event.code in (BEAT, BYE):
                said = event.said if isinstance(event, b.Heard) else event.asked
                for group in _groups(said):
                    if group in groups and said.client_id:
                        owner = calls.owners.get((broker, event.from_))
                        key = broker, group, said.client_id, owner
                        one = found.setdefault(key, Seen(*key))
                        one.events.append((event.at, event.row, event))
                        if isinstance(event, b.Heard) and event.code == BEAT:
                            one.ports.append((event.at, event.from_.rpartition(":")[2]))
            elif isinstance(event, b.BrokerStarting) or (isinstance(event, b.Table) and event.what == "members"):
                rows.append(event)
        for one in found.values():
            if one.broker == broker:
                mine = (row for row in rows if isinstance(row, b.BrokerStarting) or row.of == one.group)
                one.events += [(row.at, row.row, row) for row in mine]
                one.events.sort(key=lambda each: each[:2])
    return found.values()


def _groups(said: Request) -> list[str]:
    """The groups that a heartbeat or a good-bye is about."""
    return [one.group for one in said.groups or ()] or ([said.consumer_group] if said.consumer_group else [])


class _Member:
    """One member at one broker."""

    def __init__(self, trace: Trace, seen: Seen, tally: Tally) -> None:
        self.trace, self.seen, self.tally = trace, seen, tally
        release = trace.release(seen.who) if seen.who else trace.version
        self.follower: Follower[Member, Said, Limits, Variant] = Follower(
            REGISTRY, registry_client(release), DEFAULTS, tally, encoding=trace.encodings.get(MACHINE)
        )
        self.follower.begin(REGISTRY.begun(DEFAULTS, self.follower.variant, now=0))
        self.port: str | None = None
        self.older: set[str] = set()
        self.ends = sorted(trace.killed(seen.who)) if seen.who else []
        self.byes = [event.at for event in trace.kind(ShutdownBegin, seen.who)] if seen.who else []

    def held(self) -> None:
        """Hold all events. Raises ``Unexplained``."""
        for at, _, event in self.seen.events:
            self.follower.keep(at, 10)
            self._left(at)
            if isinstance(event, b.BrokerStarting):
                self.follower.show(event, [(does("restarts"),)], "")
                self.follower.let(at, (does("breaks", **NOW),))
                self.older.clear()
                continue
            self.tally.events += 1
            if isinstance(event, b.Heard):
                self._hears(event)
            elif isinstance(event, b.Answered):
                self._has_answered(event)
            elif isinstance(event, b.Table):
                self._looks(event)

    def _left(self, at: int) -> None:
        """The process has ended, or its shutdown has begun, before that time."""
        while self.byes and self.byes[0] <= at:
            self.follower.let(self.byes.pop(0), (does("leaves"),))
        while self.ends and self.ends[0] <= at:
            self.follower.let(self.ends[0], (does("dies"),))
            self.ends.pop(0)

    def _hears(self, event: b.Heard) -> None:
        port = event.from_.rpartition(":")[2]
        if event.code == BYE:
            ways: list[Way] = [(), (does("leaves"),)]
            self.follower.show(event, ways, "nobody says good-bye", seen=lambda s: Or(s.leaving, Not(s.alive)))
            return
        if port in self.older:
            return
        if port != self.port:
            self.follower.let(event.at, (does("dies"), does("breaks", **NOW)))
            begins: list[Way] = [(does("starts"), does("finds")), (does("reconnects"), does("finds"))]
            closed = does("breaks", **NOW)
            begins += [(closed, *way) for way in begins]
            # The broker can work on heartbeats of two connections at once.
            begins += [(does("puts", **NOW), *way) for way in begins]
            if self.port is not None:
                self.older.add(self.port)
            self.port = port
            self.follower.show(event, begins, "a member that is there has sent no heartbeat by a new connection")
            return
        self.follower.let(event.at, (does("puts", **NOW),))
        self.follower.show(
            event,
            [(does("finds"),), (does("straggles", **NOW),), (does("refreshes"),)],
            "the broker has seen the end of this connection, or the member has left",
        )

    def _has_answered(self, event: b.Answered) -> None:
        port = event.from_.rpartition(":")[2]
        if event.code == BYE:
            bye = does("unregisters", **NOW)
            self.follower.show(event, [(bye,), (does("loses"),), ()], "", seen=lambda s: Not(s.leaving))
            self.follower.let(event.at, (does("loses"),))
            return
        if port in self.older:
            self.follower.let(event.at, (does("lags", **NOW),))
            return
        self.follower.let(event.at, (does("puts", **NOW),))
        self.follower.show(
            event, [()], "its heartbeat was answered before it was registered", seen=lambda s: Not(s.finding)
        )

    def _looks(self, event: b.Table) -> None:
        listed = b.members(event.is_)
        own = {one for one in listed if one.client_id == self.seen.client_id and str(one.port) in self._ports()}
        mine = any(str(one.port) == self.port for one in own)
        old, others = len(own) > mine, len(set(listed) - own) > 0
        ways: list[Way] = [()]
        ways += [(does("puts", **NOW),), (does("unregisters", **NOW),), (does("closes_old", **NOW),)]
        ways += [(does("scans", more=int(others), first=first, **NOW),) for first in (0, 1)]
        ways += [(does("lags", **NOW),), (does("straggles", **NOW),)]
        if self._breaks(event.at):
            ways.append((does("breaks", **NOW),))
            ways.append((does("breaks", **NOW), does("closes_old", **NOW)))
        neighbours: list[Way] = [(does("others_come", **NOW),), (does("others_go", more=0, **NOW),)]
        self.follower.let(event.at, *neighbours)
        why = f"the broker lists {event.is_ or 'nobody'}"
        now = self.follower.states
        try:
            self.follower.show(event, ways, why, seen=lambda s: (s.mine, s.old) == (mine, old) and s.others == others)
        except Unexplained:
            # The broker writes what it saw a little before.
            if not any((s.mine, s.old) == (mine, old) for s in self.follower.lately(event.at, STALL)):
                raise
            self.follower.states = now
            self.tally.widened += 1

    def _ports(self) -> set[str]:
        return {port for _, port in self.seen.ports}

    def _breaks(self, at: int) -> bool:
        """Whether the end of the newest connection has a cause: its process ends, it was idle for long, or the next
        heartbeat comes by another one."""
        if self.seen.who is None or self.trace.ending(self.seen.broker, at):
            return True
        after = self.seen.next_port(at)
        last = max((when for when, _ in self.seen.ports if when <= at), default=0)
        idle = truth(at - last >= DEFAULTS.expired - DEFAULTS.beat)
        late = truth(at > self.trace.end - DEFAULTS.beat - STALL)
        ended = late or not self.trace.alive(self.seen.who, 0, at)
        return after != self.port if after else ended or idle or bool(self.trace.kind(ShutdownBegin, self.seen.who))


def _rows(trace: Trace, broker: str) -> Mapping[str, tuple[list[int], list[frozenset[b.Member]]]]:
    found: defaultdict[str, tuple[list[int], list[frozenset[b.Member]]]] = defaultdict(lambda: ([0], [frozenset()]))
    for event in trace.of[broker]:
        if isinstance(event, b.BrokerStarting):
            for times, values in found.values():
                times.append(event.at)
                values.append(frozenset())
        elif isinstance(event, b.Table) and event.what == "members":
            times, values = found[event.of]
            times.append(event.at)
            values.append(frozenset(b.members(event.is_)))
    return found


def _ids(members: Iterable[b.Member]) -> frozenset[str]:
    return frozenset(one.client_id for one in members)


def _lists(trace: Trace, broker: str, tally: Tally) -> None:
    """A list of ids is that of the members, at the last look, or at the next one."""
    rows = _rows(trace, broker)
    for event in trace.kind(b.Answered, broker):
        if event.code != LIST or event.asked.consumer_group not in rows:
            continue
        times, values = rows[event.asked.consumer_group or ""]
        first = max(bisect_right(times, event.at - LOOK) - 1, 0)
        near = values[first : bisect_right(times, event.at + STALL)]
        tally.shown["list"] += 1
        tally.events += 1
        said = frozenset(event.said.ids or ())
        # Between two looks a member can have gone by one connection, before it came by another one.
        if not any(_ids(one & other) <= said <= _ids(one | other) for one in near for other in near):
            listed = " or ".join(str(sorted(_ids(one))) for one in near)
            raise Unexplained(event, f"the broker answers {sorted(said)}, and lists {listed}")


def _notifications(trace: Trace, broker: str, tally: Tally) -> None:
    """Members are notified when a group's members or topics change, and then all that stay are."""
    changes: defaultdict[str, list[int]] = defaultdict(list)
    for event in trace.of[broker]:
        if isinstance(event, b.Table) and event.what in ("members", "subs"):
            changes[event.of].append(event.at)
        elif isinstance(event, b.Answered) and event.code in (BEAT, BYE):
            for group in _groups(event.asked):
                changes[group].append(event.at)
    for times in changes.values():
        times.sort()
    told: dict[str, Sequence[int]] = {}
    for who in trace.consumers:
        told[who] = [event.at for event in trace.kind(Notified, who)]
        for note in trace.kind(Notified, who):
            times = changes[note.said.consumer_group or ""]
            since = note.at - SENDING
            late = trace.slack(who, since, note.at) + trace.stood(broker, since, note.at)
            place = bisect_left(times, since - late)
            tally.shown["notified"] += 1
            if len(trace.brokers) == 1 and (place == len(times) or times[place] > note.at + LOOK + STALL):
                raise Unexplained(note, "nothing has changed in the group")
    _all_told(trace, broker, told, tally)


def _all_told(trace: Trace, broker: str, told: Mapping[str, Sequence[int]], tally: Tally) -> None:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    ids: dict[str, set[str]] = {}
    byes: dict[str, list[int]] = {}
    for who, started in trace.consumers.items():
        owners[started.group].append(who)
        ids[who] = {event.client_id for event in trace.of[who] if hasattr(event, "client_id")}
        byes[who] = [event.at for event in trace.kind(ShutdownBegin, who)]
    for row in trace.kind(b.Table, broker):
        if row.what != "members" or row.of not in owners or not row.is_ or not row.was:
            continue
        if trace.ending(broker, row.at):
            continue
        before, after = set(b.members(row.was)), set(b.members(row.is_))
        gone = before - after
        stay = {one.client_id for one in before & after}
        if not stay or (gone and not after - before and _expired(trace, broker, gone, row.at)):
            continue
        for who in owners[row.of]:
            since, until = row.at - LOOK - STALL, row.at + SENDING
            still = trace.stood(who, since, until) or trace.stood(broker, since, until)
            if not ids[who] & stay or still or not trace.alive(who, since, until):
                continue
            if trace.delayed(broker, since, until):
                continue  # the client may have closed the connection in vain of an answer, and the notification is lost
            if any(since - STALL <= at <= until for at in byes[who]):
                continue
            tally.shown["all-told"] += 1
            if not any(since <= at <= until for at in told[who]):
                raise Unexplained(row, f"{who} is listed before and after, and was not notified")


def _expired(trace: Trace, broker: str, gone: Iterable[b.Member], at: int) -> bool:
    """Whether all of them can have gone by a scan, which notifies nobody."""
    ports = {str(one.port) for one in gone}
    beats = [e for e in trace.kind(b.Heard, broker) if e.code == BEAT and e.from_.rpartition(":")[2] in ports]
    return all(at - event.at > DEFAULTS.expired or event.at > at for event in beats)
