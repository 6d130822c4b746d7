"""Time limits in guarantees about a broker's registry of consumers, and about routes."""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.span import Span, limit, longer
from rebalance_proofs.model.machine.values import And, Bool, Not
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, listed
from rebalance_proofs.proofs.registry.invariant import right

BEAT = limit("beat", "maxHeartbeatGap")
REMOVED = limit("expired", "channelExpiredTimeout") + limit("scan", "maxScanGap")
"""Longest time until the broker removes a channel without heartbeats."""
COLLECT = limit("collect", "maxSendGap")
POLL = limit("poll", "maxPollGap")


def untold(s: Member) -> Bool:
    """Return the condition that the broker's list has changed, but other members do not know.

    The broker has not notified them.
    """
    return And(s.stale, s.others)


def _after_change(span: Span, pending: Callable[[Member], Bool]) -> Bound[Member, Limits]:
    return Bound(span, pending, lambda s: s.change)


BOUNDS: Mapping[str, Bound[Member, Limits]] = {
    "again": _after_change(BEAT, lambda s: And(s.alive, Not(listed(s)))),
    "gone": _after_change(REMOVED, lambda s: And(Not(s.alive), listed(s))),
    "not-started": _after_change(REMOVED, lambda s: And(s.threw, listed(s))),
    "once-again": Bound(REMOVED, lambda s: s.old, lambda s: s.old_at),
    "agree": _after_change(longer(BEAT, REMOVED), lambda s: Not(right(s))),
    "told-late": Bound(COLLECT, untold, lambda s: s.stale_at),
    "routed": Bound(POLL, lambda s: And(s.moved, Not(s.seen)), lambda s: s.moved_at),
}
"""Name of a guarantee -> its time bound."""
