"""Check one consumer's membership at one broker: heartbeats, connections, unregistration.

Each poll of the broker's table of members must fit.
"""

from collections.abc import Iterator

from rebalance_proofs.model.machine.values import And, Not, Or, number, truth
from rebalance_proofs.model.machines.registry.actions import REGISTRY, RegistryClient
from rebalance_proofs.model.machines.registry.state import DEFAULTS, Limits, Said
from rebalance_proofs.model.machines.registry.state import Member as State
from rebalance_proofs.recorded.cluster.clients import registry_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.registry.seen import Seen, Told
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.driver import Topics
from rebalance_proofs.recorded.groups.event import BYE, Event
from rebalance_proofs.recorded.groups.member import Allocate, Notified, ShutdownBegin
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

# Check that a rebalance uses a topic's new queues only after a poll of the route.

SAYING = 10_000
"""Longest time in ms between the creation of a topic and the driver's event about it."""


class Route:
    """The last change of a topic's queues while a consumer ran, and its later rebalances."""

    def __init__(self, trace: Trace, seen: Seen) -> None:
        shares = trace.kind(Allocate, seen.who) if seen.who else []
        grown = [
            (event, topic)
            for event in of_kind(trace.of[DRIVER], Topics)
            for topic in (spec.partition(":")[0] for spec in event.spec.split(","))
            if any(one.topic == topic and one.at < event.at - STALL for one in shares)
        ]
        self.topics = grown[-1][0] if grown else None
        self.shares = [one for one in shares if grown and one.topic == grown[-1][1]]
        self.queues = self.shares[-1].mq_all if self.shares else None
        if self.topics is not None and self.queues == self.shares[0].mq_all:
            self.topics = None  # no observed change

    def events(self) -> Iterator[tuple[int, int, Event]]:
        """Yield the change and each rebalance of the topic, each as (time in ms, line number, event).

        Yield nothing if the topic's queues did not change.
        """
        if self.topics is not None:
            yield self.topics.at, self.topics.row, self.topics
            yield from ((one.at, one.row, one) for one in self.shares)

    def shown(self, follower: Follower[State, Said, Limits, RegistryClient], event: Event) -> None:
        """Check the change of queues, or which queues a rebalance uses. Raises ``Unexplained``."""
        if isinstance(event, Topics):
            follower.show(event, [(does("moves"),), ()], "the route changes", seen=lambda s: s.moved)
        elif isinstance(event, Allocate) and self.topics is not None:
            if event.mq_all == self.queues:
                polled = (does("polls"),)
                # The driver writes the event when the topic already exists.
                soon = self.topics.at - SAYING <= event.at < self.topics.at
                ways = [(), polled, (does("moves"), *polled)] if soon else [(), polled]
                follower.show(
                    event, ways, "a rebalance has queues that no route poll has returned", seen=lambda s: s.seen
                )
            else:
                follower.show(event, [()], "a rebalance lacks queues that it had", seen=lambda s: Not(s.seen))


MACHINE = "registry"
SCANNED = number(DEFAULTS.scan) + STALL
"""Longest time in ms in which a broker scans its members at least once, unless it paused.

The scan removes members with idle connections.
"""


class Member:
    """Checks of one consumer's membership at one broker."""

    def __init__(self, trace: Trace, seen: Seen, tally: Tally) -> None:
        self.trace, self.seen, self.tally = trace, seen, tally
        self.release = trace.release(seen.who) if seen.who else trace.version
        self.client = registry_client(self.release)
        self.follower: Follower[State, Said, Limits, RegistryClient] = Follower(
            REGISTRY, self.client, DEFAULTS, tally, encoding=trace.encoding(MACHINE, self.client)
        )
        self.follower.begin(REGISTRY.begun(DEFAULTS, self.follower.variant, now=0))
        self.port: str | None = None
        self.older: set[str] = set()
        self.told = Told(trace, seen)
        self.tells = self.told.how
        self.route = Route(trace, seen)
        self.scanned = 0
        """Time in ms of the broker's last scan for idle connections, as far as assumed."""
        self.row: tuple[bool, bool] | None = None
        """The last poll, as (newest connection is a member, an older connection is a member)."""
        self.differs: int | None = None
        """Time in ms from which the model's state differs from the last poll; None if they agree."""
        self.ends = sorted(trace.killed(seen.who)) if seen.who else []
        self.byes = [event.at for event in trace.kind(ShutdownBegin, seen.who)] if seen.who else []

    def held(self) -> None:
        """Check all events of the consumer at the broker. Raises ``Unexplained``."""
        events = self._events()
        for at, _, event in events:
            self._scans(event, at)
            self.follower.keep(at, 10)
            self._left(event, at)
            if isinstance(event, b.BrokerStarting):
                self.scanned, self.row, self.differs = at, None, None
                self.follower.show(event, [(does("restarts"),)], "")
                self.follower.let(at, (does("breaks", **self.tells),))
                self.older.clear()
                self.port = None  # the client opens another connection, perhaps from the same port
                continue
            self.tally.held(self.client.name, self.release)
            if isinstance(event, b.Heard):
                self._hears(event)
            elif isinstance(event, b.Answered):
                self._has_answered(event)
            elif isinstance(event, b.Table):
                self._looks(event)
            elif isinstance(event, Notified):
                self._notified(event, at)
            else:
                self.route.shown(self.follower, event)
        if events:
            self._scans(events[-1][2], self.trace.end)

    def _events(self) -> list[tuple[int, int, Event]]:
        """Return all events to check, each as (time in ms, line number, event), sorted.

        They are the consumer's events at the broker, notifications, and the topic routes that it has polled.
        """
        found = [*self.seen.events, *self.told.events(), *self.route.events()]
        return sorted(found, key=lambda each: each[:2])

    def _scans(self, event: Event, until: int) -> None:
        """Add the states after scans for idle connections up to the time ``until``.

        Raises ``Unexplained``.
        """
        broker = self.seen.broker
        while self.scanned + SCANNED < until:
            before, self.scanned = self.scanned, self.scanned + SCANNED
            away = any(a <= self.scanned and before <= end for a, end in self.trace.away(broker))
            if away or self.row is None or self.trace.stood(broker, before, self.scanned):
                self.differs = None
                continue
            scanned: dict[State, None] = {}
            for s in self.follower.states:
                for first in (0, 1):
                    more = int(truth(s.others))
                    way = (does("scans", more=more, first=first, **self.tells),)
                    # At least one scan since then has found what was expired.
                    scanned.update(dict.fromkeys(self.follower.after(s, way, before)))
            self.follower.states = scanned
            as_seen = any((s.mine, s.old) == self.row for s in scanned)
            self.differs = None if as_seen else self.scanned if self.differs is None else self.differs
            if self.differs is not None and self.scanned - self.differs > LOOK + STALL:
                raise Unexplained(event, "a scan has changed the list, but no poll has seen that", self._told())

    def _told(self) -> tuple[str, ...]:
        return self.follower.told(self.follower.states)

    def _left(self, event: Event, at: int) -> None:
        """Apply ends of the consumer's process, and starts of its shutdown, before the time ``at``."""
        while self.byes and self.byes[0] <= at:
            self.follower.let(self.byes.pop(0), (does("leaves"),))
        while self.ends and self.ends[0] <= at:
            end = self.ends.pop(0)
            if self.seen.next_port(end) is not None:
                self.follower.let(end, (does("dies"),))
                # Another process with that id opens a connection later; the model's member does not start again.
                left = [s for s in self.follower.states if not truth(s.alive)]
                self.follower.states |= {s.but(alive=True, running=True, leaving=False, died=False): None for s in left}
                continue
            lost = self.trace.delayed(self.seen.broker, end, end)
            action = "vanishes" if lost and not self.trace.ending(self.seen.broker, end) else "dies"
            gone: list[Way] = [(does(action),), ()]
            self.follower.show(event, gone, "its process has ended", at=end, seen=lambda s: Not(s.running))

    def _notified(self, event: Notified, at: int) -> None:
        """Check a notification: the broker must have announced the group's last change by then."""
        if self.told.others_changed(event):
            self.follower.let(at, (does("others_come", **self.tells),))
        ways: list[Way] = [()]
        if self.tells["later"]:
            ways.append((does("copies"), does("replaces", off=0)))
        why = "a member is notified, but the last change is not announced"
        self.follower.show(event, ways, why, at=at, seen=lambda s: Not(s.stale))

    def _hears(self, event: b.Heard) -> None:
        port = event.from_.rpartition(":")[2]
        if event.code == BYE:
            ways: list[Way] = [(), (does("leaves"),)]
            self.follower.show(event, ways, "no member unregisters", seen=lambda s: Or(s.leaving, Not(s.alive)))
            return
        if port in self.older:
            return
        if port != self.port:
            self.follower.let(event.at, (does("dies"), does("breaks", **self.tells)))
            begins: list[Way] = [(does("starts"), does("finds")), (does("reconnects"), does("finds"))]
            closed = does("breaks", **self.tells)
            begins += [(closed, *way) for way in begins]
            # The broker can handle heartbeats of two connections concurrently.
            begins += [(does("puts", **self.tells), *way) for way in begins]
            if self.port is not None:
                self.older.add(self.port)
            self.port = port
            self.follower.show(event, begins, "no running member has sent a heartbeat on a new connection")
            return
        self.follower.let(event.at, (does("puts", **self.tells),))
        ways = [(does("finds"),), (does("straggles", **self.tells),), (does("refreshes"),)]
        if any(truth(And(Not(s.alive), s.running, s.link)) for s in self.follower.states):
            ways += [(does("trails", **self.tells),), ()]  # it is registered now, or before its answer
        self.follower.show(event, ways, "the broker has seen the end of this connection, or the member has left")

    def _has_answered(self, event: b.Answered) -> None:
        port = event.from_.rpartition(":")[2]
        if event.code == BYE:
            bye = does("unregisters", **self.tells)
            self.follower.show(event, [(bye,), (does("loses"),), ()], "", seen=lambda s: Not(s.leaving))
            self.follower.let(event.at, (does("loses"),))
            return
        if port in self.older:
            self.follower.let(event.at, (does("lags", **self.tells),))
            return
        self.follower.let(event.at, (does("puts", **self.tells),), (does("trails", **self.tells),))
        self.follower.show(
            event, [()], "its heartbeat was answered before it was registered", seen=lambda s: Not(s.finding)
        )

    def _looks(self, event: b.Table) -> None:
        listed = b.members(event.is_)
        own = {one for one in listed if one.client_id == self.seen.client_id and str(one.port) in self._ports()}
        mine = any(str(one.port) == self.port for one in own)
        old, others = len(own) > mine, len(set(listed) - own) > 0
        self.row = mine, old
        self.differs = None
        quiet = self.told.nobody(event)
        ways: list[Way] = [()]
        ways += [(does("puts", **self.tells),), (does("unregisters", **self.tells),)]
        ways += [(does("scans", more=int(others), first=first, **self.tells),) for first in ((0,) if quiet else (0, 1))]
        ways += [(does("lags", **self.tells),), (does("straggles", **self.tells),)]
        if not quiet:
            ways.append((does("closes_old", **self.tells),))
        if self._breaks(event.at) and not quiet:
            ways.append((does("breaks", **self.tells),))
            ways.append((does("breaks", **self.tells), does("closes_old", **self.tells)))
        neighbours: list[Way] = [(does("others_come", **self.tells),), (does("others_go", more=0, **self.tells),)]
        self.follower.let(event.at, *neighbours)
        why = f"the broker lists {event.is_ or 'no member'}"
        now = self.follower.states
        try:
            self.follower.show(event, ways, why, seen=lambda s: (s.mine, s.old) == (mine, old) and s.others == others)
        except Unexplained:
            # The broker writes what it saw a little earlier.
            if not any((s.mine, s.old) == (mine, old) for s in self.follower.lately(event.at, STALL)):
                raise
            self.follower.states = now
            self.tally.widened += 1

    def _ports(self) -> set[str]:
        return {port for _, port in self.seen.ports}

    def _breaks(self, at: int) -> bool:
        """Return True if the end of the newest connection at time ``at`` has a cause.

        The process ends, the connection was idle for long, or the next heartbeat or last request uses another
        connection.
        """
        if self.seen.who is None or self.trace.ending(self.seen.broker, at):
            return True
        until = self.trace.ended(self.seen.who, at) or self.trace.end
        if any(at < when <= until and port == self.port for when, port in self.seen.uses):
            return False
        if self.seen.newest_port(at) not in (None, self.port):
            return True
        after = self.seen.next_port(at, until)
        last = max((when for when, _ in self.seen.ports if when <= at), default=0)
        idle = truth(at - last >= DEFAULTS.expired - DEFAULTS.beat)
        late = truth(at > self.trace.end - DEFAULTS.beat - STALL)
        ended = late or any(end <= at for end in self.trace.killed(self.seen.who))
        return after != self.port if after else ended or idle or bool(self.trace.kind(ShutdownBegin, self.seen.who))
