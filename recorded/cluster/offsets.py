"""The machine of offsets, held by monitors: messages, listeners, offsets in memory, commits and brokers' answers."""

from rebalance_proofs.recorded.cluster.commits import commits
from rebalance_proofs.recorded.cluster.listeners.check import listeners
from rebalance_proofs.recorded.cluster.messages import Messages, stored
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import MONITORS, Tally
from rebalance_proofs.recorded.cluster.trace import Trace

__all__ = ["MACHINE", "check"]

MACHINE = "offsets"


def check(trace: Trace, calls: Calls) -> Tally:
    """Hold messages and offsets."""
    tally = Tally(MACHINE, MONITORS)
    stored(trace, tally)
    listeners(trace, Messages.of(trace), calls, tally)
    commits(trace, calls, tally)
    return tally
