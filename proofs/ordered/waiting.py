"""How long a shutdown must wait until its consumer's listener is no longer called."""

from rebalance_proofs.model.machine.values import Bool, Int, Or, number
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rules import OrderedRules


def enough(rules: OrderedRules, limits: Limits) -> Bool:
    """Return the condition that a shutdown waits long enough before it releases the locks.

    Then no listener call runs or can begin. A request that begins just before the end of the first wait must end
    within the second wait. If renewals end with the shutdown, the last call begins while the last lock is trusted,
    and both waits count.
    """
    if not rules.waits_for_listener:
        return False
    requests_end = limits.wait > limits.loop + limits.listener
    if rules.renews_on:
        return requests_end
    return Or(requests_end, 2 * limits.wait > _last_call(limits))


def least(rules: OrderedRules, limits: Limits) -> int | None:
    """Return the shortest wait that satisfies ``enough``, in ms; None if there is none.

    ``limits`` are numbers.
    """
    if not rules.waits_for_listener:
        return None
    by_requests = number(limits.loop + limits.listener) + 1
    if rules.renews_on:
        return by_requests
    by_locks = number(_last_call(limits)) // 2 + 1
    return min(by_requests, by_locks)


def _last_call(limits: Limits) -> Int:
    """Return the time from the start of the shutdown to the end of the last listener call.

    Renewals end with the shutdown.
    """
    return limits.late + limits.delay + limits.client + limits.listener
