"""How long a shutdown has to wait until its consumer's listener is called no more."""

from rebalance_proofs.model.machine.values import Bool, Int, Or, number
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rules import OrderedRules

__all__ = ["enough", "least"]


def enough(rules: OrderedRules, limits: Limits) -> Bool:
    """Whether, when the shutdown gives the locks back, no call is under way, and none can begin any more.

    A request that begins just before the first wait is over has the second wait to end in. If renewals end with the
    shutdown, the last call begins while the last lock is trusted in, and both waits count.
    """
    if not rules.waits_for_listener:
        return False
    requests_end = limits.wait > limits.loop + limits.listener
    if rules.renews_on:
        return requests_end
    return Or(requests_end, 2 * limits.wait > _last_call(limits))


def least(rules: OrderedRules, limits: Limits) -> int | None:
    """The shortest wait that is ``enough``, in ms; None if there is none. ``limits`` are numbers."""
    if not rules.waits_for_listener:
        return None
    by_requests = number(limits.loop + limits.listener) + 1
    if rules.renews_on:
        return by_requests
    by_locks = number(_last_call(limits)) // 2 + 1
    return min(by_requests, by_locks)


def _last_call(limits: Limits) -> Int:
    """The time from the shutdown's begin to the return of the last call, if renewals end with the shutdown."""
    return limits.late + limits.delay + limits.client + limits.listener
