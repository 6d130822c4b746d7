"""The limits of time that guarantees about a group's subscriptions promise."""

from collections.abc import Mapping

from rebalance_proofs.model.machine.span import Span, limit, twice
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Subscription
from rebalance_proofs.proofs.machine.bound import Bound

__all__ = ["APART", "BEAT", "BOUNDS", "SKIPPED", "TWO_APART"]

BEAT = limit("beat", "maxHeartbeat")
SKIPPED = limit("period", "heartbeatBrokerInterval") + twice(BEAT)
"""Until a heartbeat brings a change, if that comes while one is under way, and its own is skipped."""
APART = limit("apart", "maxHeartbeatGap")
TWO_APART = twice(APART)


def _refused(span: Span) -> Bound[Subscription, Limits]:
    """Pulls are refused after a change of the member's table of queues; what counts is when one was asked for."""
    return Bound(span, lambda s: s.refused, lambda s: s.moved, lambda s: s.asked)


def _unanswered(span: Span) -> Bound[Subscription, Limits]:
    """No pull is let through after one that was refused."""
    return Bound(span, lambda s: s.refused, lambda s: s.first, sooner=True)


BOUNDS: Mapping[str, Bound[Subscription, Limits]] = {
    "restless": Bound(APART, lambda s: True, lambda s: s.changed),
    "accepted-soon": _refused(BEAT),
    "accepted": _refused(SKIPPED),
    "answered": _unanswered(APART),
    "answered-later": _unanswered(TWO_APART),
}
"""By the guarantee's name."""
