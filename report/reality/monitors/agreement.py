"""Monitor claims that brokers list the same members, and that consumers see the same route."""

from collections.abc import Iterator
from itertools import combinations, pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import BrokerStarting
from rebalance_proofs.recorded.groups.event import Queues
from rebalance_proofs.recorded.groups.member import Allocate, ShutdownBegin, ShutdownEnd, Started
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "registry"
SETTLED = max(number(DEFAULTS.beat), number(DEFAULTS.expired) + number(DEFAULTS.scan)) + LOOK + STALL
"""Time in ms after the last change by which two brokers must list the same members."""
POLLED = number(DEFAULTS.poll) + 6_000
"""Longest time in ms until a client has a topic's new route, which it polls from the name server."""


def agreement(view: View) -> Iterator[Told]:
    """Compare the member lists of each two brokers, at times without a recent change."""
    what = "two brokers listed different ids of a group 132 s after its last change"
    for group in view.groups:
        release, chances, bad = view.release_of(group), 0, list[Bad]()
        if release is None or view.twins(group):
            continue
        for one, other in combinations(view.trace.brokers, 2):
            changes = sorted(_changes(view, group, (one, other)))
            for since, until in pairwise([*changes, view.trace.end]):
                if until - since > SETTLED:
                    chances += 1
                    rows = [_listed(view, broker, group, until - 1) for broker in (one, other)]
                    bad += [(since + SETTLED, until - since - SETTLED)] * (rows[0] != rows[1])
        yield told(KIND, release, "agree", what, chances, bad)


def _changes(view: View, group: str, brokers: tuple[str, str]) -> Iterator[int]:
    """Yield times at which members came or left, connections were made, or brokers started."""
    for broker in brokers:
        yield from (event.at for event in view.trace.kind(BrokerStarting, broker))
        yield from view.trace.killed(broker)
    for who in view.groups[group]:
        life = (event for event in view.trace.of[who] if isinstance(event, Started | ShutdownBegin | ShutdownEnd))
        yield from (event.at for event in life)
        yield from view.trace.killed(who)
        ports: set[tuple[str, str]] = set()
        for call in view.requests.all[who]:
            if call.port and call.broker in brokers and (call.broker, call.port) not in ports:
                ports.add((call.broker, call.port))
                yield call.ask.at


def _listed(view: View, broker: str, group: str, at: int) -> list[str]:
    """Return the ids that a broker lists for a group at a time, including duplicates."""
    row = next((row for when, row in reversed(view.lists(broker, group)) if when <= at), frozenset())
    return sorted(name for name, _ in row)


def routes(view: View) -> Iterator[Told]:
    """Check that each consumer's rebalance sees queues added to a topic, once it must know the route."""
    what = "a member did not see a topic's new queues 38 s after they were added"
    added, known = dict[str, Queues](), dict[str, Queues]()
    for change in view.trace.produced(Queues):
        if change.topic in known and {*known[change.topic].queues} < {*change.queues}:
            added[change.topic] = change
        known[change.topic] = change
    for who in view.trace.consumers:
        chances, bad = 0, list[Bad]()
        for topic, change in added.items():
            due = view.due(who, change.at, POLLED)
            begun = view.trace.kind(Started, who)
            away = any(end > change.at for broker in view.trace.brokers for _, end in view.trace.away(broker))
            late = any(view.trace.delayed(broker, change.at, due) for broker in view.trace.brokers)
            if not begun or begun[0].at > change.at or away or late:
                continue
            rounds = (one for one in view.trace.kind(Allocate, who) if one.topic == topic and one.at >= due)
            if (first := next(rounds, None)) is not None:
                chances += 1
                bad += [(first.at, first.at - change.at)] * (not {*change.queues} <= {*(first.mq_all or ())})
        yield told(KIND, view.trace.release(who), "routed", what, chances, bad)
