"""For how long a shutdown has to wait until its consumer's listener is called no more."""

import z3

from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rules import OrderedRules
from rebalance_proofs.model.terms.truth import NO

__all__ = ["enough", "least"]


def enough(rules: OrderedRules, limits: Limits) -> z3.BoolRef:
    """When it gives the locks back, no call is under way, and none can begin any more; ``limits`` are terms.

    A request that begins just before the first wait is over has the second wait to end in. Where renewals end with the
    shutdown, the last call begins while the last lock is trusted in, and both waits count.
    """
    if not rules.waits_for_listener:
        return NO
    requests_end: z3.BoolRef = limits.wait > limits.loop + limits.listener
    if rules.renews_on:
        return requests_end
    return z3.Or(requests_end, 2 * limits.wait > _last_call(limits))


def least(rules: OrderedRules, limits: Limits) -> int | None:
    """The shortest wait that is ``enough``, in ms; None where none is. ``limits`` are numbers."""
    if not rules.waits_for_listener:
        return None
    by_requests: int = limits.loop + limits.listener + 1
    if rules.renews_on:
        return by_requests
    by_locks: int = _last_call(limits) // 2 + 1
    return min(by_requests, by_locks)


def _last_call(limits: Limits) -> int:
    """So long after the shutdown's begin the last call has returned, where renewals end with it."""
    last: int = limits.late + limits.delay + limits.client + limits.listener
    return last
