"""Check offsets of all consumers of a trace."""

from rebalance_proofs.recorded.cluster.listeners.check import listeners
from rebalance_proofs.recorded.cluster.merged import merged
from rebalance_proofs.recorded.cluster.messages import Messages, stored
from rebalance_proofs.recorded.cluster.offsets.brokers import again, committed
from rebalance_proofs.recorded.cluster.offsets.consumer import Consumer
from rebalance_proofs.recorded.cluster.offsets.following import MACHINE
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, FOLLOWED, MESSAGES, Tally
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.event import QUERY, UPDATE

__all__ = ["MACHINE", "check"]


def check(trace: Trace, calls: Calls) -> Tally:
    """Check a trace's offsets with the model's machine of offsets.

    Behaviours are searched for all queues and for selected messages. All messages are checked by simple rules.
    """
    tally = Tally(MACHINE, BEHAVIOURS)
    stored(trace, tally)
    listeners(trace, Messages.of(trace), calls, tally)
    brokers, twice = committed(trace, calls), again(trace)
    for who in trace.consumers:
        for life in trace.lives(who):
            one = Consumer(trace, who, life, calls, brokers, twice, tally)
            for event in merged(trace, life, one.known.calls, (QUERY, UPDATE), "offset"):
                one.held(event)
            one.ends(life)
            tally.about += len(one.known.places) + one.known.messages
            tally.shown[MESSAGES] += one.known.told.messages
            tally.shown[FOLLOWED] += one.known.messages
    return tally
