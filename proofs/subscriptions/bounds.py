"""Time limits in guarantees about a group's subscriptions."""

from collections.abc import Mapping

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.values import Span, limit, twice
from rebalance_proofs.model.subscriptions.state import Limits, Subscription

BEAT = limit("beat", "maxHeartbeat")
SKIPPED = limit("period", "heartbeatBrokerInterval") + twice(BEAT)
"""Longest time until a heartbeat brings a change that sent no heartbeat itself.

The client skips the heartbeat for a change while another heartbeat is running.
"""
APART = limit("apart", "maxHeartbeatGap")
TWO_APART = twice(APART)


def _refused(span: Span) -> Bound[Subscription, Limits]:
    """Return a bound on refused pulls after a change of the member's queue table.

    The time at which the pull was requested counts.
    """
    return Bound(span, lambda s: s.refused, lambda s: s.moved, lambda s: s.asked)


def _unanswered(span: Span) -> Bound[Subscription, Limits]:
    """Return a bound on the time without an accepted pull after a refused one."""
    return Bound(span, lambda s: s.refused, lambda s: s.first, sooner=True)


BOUNDS: Mapping[str, Bound[Subscription, Limits]] = {
    "restless": Bound(APART, lambda s: True, lambda s: s.changed),
    "accepted-soon": _refused(BEAT),
    "accepted": _refused(SKIPPED),
    "answered": _unanswered(APART),
    "answered-later": _unanswered(TWO_APART),
}
"""Name of a guarantee -> its time bound."""
