"""Check the rebalance threads of all consumers of a trace."""

from rebalance_proofs.recorded.cluster.settling.clock import MACHINE
from rebalance_proofs.recorded.cluster.settling.thread import Thread
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace

__all__ = ["MACHINE", "check"]


def check(trace: Trace) -> Tally:
    """Check each consumer's rebalance thread against the model."""
    tally = Tally(MACHINE, BEHAVIOURS)
    for who, started in trace.consumers.items():
        for life in trace.lives(who):
            tally.about += 1
            try:
                Thread(trace, who, started, tally).held(life)
            except Unexplained as found:
                tally.reject(who, found)
    return tally
