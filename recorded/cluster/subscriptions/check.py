"""Check the subscriptions of all consumers of a trace, by topic and broker."""

from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.subscriptions.topic import MACHINE, Topic
from rebalance_proofs.recorded.cluster.subscriptions.waits import first_pulls, topics, waits
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace

__all__ = ["MACHINE", "check"]


def check(trace: Trace, calls: Calls) -> Tally:
    """Check each topic of each consumer at each broker against the model."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for broker in trace.brokers:
        for who in trace.consumers:
            firsts = first_pulls(trace, who, calls, broker)
            for topic, own in topics(trace, who, calls, broker).items():
                tally.about += 1
                try:
                    Topic(trace, calls, broker, who, topic, own, firsts, tally).held()
                except Unexplained as found:
                    tally.reject(f"{who}, {topic} at {broker}", found)
    for who in trace.consumers:
        try:
            waits(trace, who, calls, tally)
        except Unexplained as found:
            tally.reject(who, found)
    return tally
