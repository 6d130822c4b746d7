"""Run all monitors on a recording.

A monitor counts events that contradict claims, and chances for such events. A chance is a situation in which the event
could have happened.
"""

from collections.abc import Callable, Iterator, Mapping

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.report.reality.monitors.offsets import offsets
from rebalance_proofs.report.reality.monitors.ordered import ordered
from rebalance_proofs.report.reality.monitors.pulls import pulls
from rebalance_proofs.report.reality.monitors.registry import registry
from rebalance_proofs.report.reality.monitors.settling import settling
from rebalance_proofs.report.reality.monitors.subscriptions import subscriptions
from rebalance_proofs.report.reality.told import Told
from rebalance_proofs.report.reality.view import View

MONITORS: Mapping[str, Callable[[View], Iterator[Told]]] = {
    "ordered": ordered,
    "offsets": offsets,
    "pulls": pulls,
    "settling": settling,
    "subscriptions": subscriptions,
    "registry": registry,
}
"""Kind of claims -> its monitor."""


def monitored(trace: Trace) -> list[Told]:
    """Return the results of all monitors for a recording."""
    view = View(trace)
    return [told for monitor in MONITORS.values() for told in monitor(view)]
