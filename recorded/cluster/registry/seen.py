"""One group member's events at a broker: heartbeats, unregistrations, polls of members."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.codes import BEAT, BYE
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.requests import Request


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

    def next_port(self, at: int) -> str | None:
        """Return the port of the member's first heartbeat after the time ``at``."""
        place = bisect_right(self.ports, (at, "~"))
        return self.ports[place][1] if place < len(self.ports) else None


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
                        owner = calls.owners.get((broker, event.from_))
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
