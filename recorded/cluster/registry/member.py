"""One member at one broker: its heartbeats, its connections and its good-bye, against every look at the members."""

from rebalance_proofs.model.machine.values import Not, Or, truth
from rebalance_proofs.model.registry.limits import DEFAULTS, Limits
from rebalance_proofs.model.registry.machine import REGISTRY
from rebalance_proofs.model.registry.state import Member as State
from rebalance_proofs.model.registry.state import Said, Variant
from rebalance_proofs.recorded.cluster.clients import registry_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.registry.seen import Seen
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.codes import BYE
from rebalance_proofs.recorded.groups.member import ShutdownBegin

__all__ = ["MACHINE", "Member"]

MACHINE = "registry"
NOW = {"off": 0, "later": 0}
"""The broker notifies at once, as shipped; nobody recorded another setting."""


class Member:
    """One member at one broker."""

    def __init__(self, trace: Trace, seen: Seen, tally: Tally) -> None:
        self.trace, self.seen, self.tally = trace, seen, tally
        self.release = trace.release(seen.who) if seen.who else trace.version
        self.client = registry_client(self.release)
        self.follower: Follower[State, Said, Limits, Variant] = Follower(
            REGISTRY, self.client, DEFAULTS, tally, encoding=trace.encodings.get(MACHINE)
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
            self.tally.held(self.client.name, self.release)
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
        heartbeat comes by another one, or the last request did."""
        if self.seen.who is None or self.trace.ending(self.seen.broker, at):
            return True
        if self.seen.newest_port(at) not in (None, self.port):
            return True
        after = self.seen.next_port(at)
        last = max((when for when, _ in self.seen.ports if when <= at), default=0)
        idle = truth(at - last >= DEFAULTS.expired - DEFAULTS.beat)
        late = truth(at > self.trace.end - DEFAULTS.beat - STALL)
        ended = late or not self.trace.alive(self.seen.who, 0, at)
        return after != self.port if after else ended or idle or bool(self.trace.kind(ShutdownBegin, self.seen.who))
