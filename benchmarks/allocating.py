"""The cost of one call of ``allocate``, as a client makes it."""

from collections.abc import Callable
from itertools import cycle

from rebalance_proofs.model.allocation.consistent_hash import build_ring, consistent_hash
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker

QUEUES, CONSUMERS = 8, 4
CALLS = 20_000


def consistent_hash_calls(remember_rings: bool) -> Callable[[], None]:
    """``CALLS`` calls of CONSISTENT_HASH(10), every consumer in turn, on one core.

    The clients build their ring in each call; without ``remember_rings`` this does so, too.
    """
    allocate = consistent_hash()
    queues, ids = one_broker(QUEUES), client_ids(CONSUMERS)

    def run() -> None:
        callers = cycle(ids)
        for _ in range(CALLS):
            if not remember_rings:
                build_ring.cache_clear()
            allocate(next(callers), queues, ids)

    return run
