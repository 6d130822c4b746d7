"""Queue positions that a user-defined strategy returns, for comparison with proofs."""

from collections.abc import Callable

from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.own.call import Call, Gave, Outcome
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.model.queues import MessageQueue, one_broker, positions_in

NO_LIST = (-1,)
"""Placeholder for the positions if the call returned no list."""


def answered(worker: Worker) -> Callable[[int, int], tuple[tuple[int, ...], ...]]:
    """Return a function: numbers of queues and consumers -> each consumer's queue positions.

    The positions are those of the queues that the strategy returns. All consumers see the same lists.
    """

    def taken(q: int, c: int) -> tuple[tuple[int, ...], ...]:
        queues, ids = one_broker(q), client_ids(c)
        outcomes = worker.answers([Call("group", one, queues, ids) for one in ids])
        found = tuple(map(_positions, [queues] * len(outcomes), outcomes))
        return found + (NO_LIST,) * (c - len(found))

    return taken


def _positions(queues: tuple[MessageQueue, ...], outcome: Outcome) -> tuple[int, ...]:
    if not isinstance(outcome, Gave) or None in outcome.queues:
        return NO_LIST
    return tuple(positions_in(queues, [queue for queue in outcome.queues if queue is not None]))
