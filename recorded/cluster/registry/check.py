"""Check all consumers' membership at all brokers of a trace."""

from functools import partial

from rebalance_proofs.recorded.cluster.registry.lists import lists
from rebalance_proofs.recorded.cluster.registry.member import MACHINE, Member
from rebalance_proofs.recorded.cluster.registry.notifications import notifications
from rebalance_proofs.recorded.cluster.registry.seen import members_seen
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace

__all__ = ["MACHINE", "check"]


def check(trace: Trace, calls: Calls) -> Tally:
    """Check each consumer's membership at each broker, lists of consumer ids, and notifications."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for seen in members_seen(trace, calls):
        tally.about += 1
        try:
            Member(trace, seen, tally).held()
        except Unexplained as found:
            tally.reject(f"{seen.client_id} of {seen.group} at {seen.broker}", found)
    for broker in trace.brokers:
        for rule in (partial(lists, trace, calls), partial(notifications, trace, calls)):
            try:
                rule(broker, tally)
            except Unexplained as found:
                tally.reject(broker, found)
    return tally
