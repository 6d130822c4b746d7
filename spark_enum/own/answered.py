"""What a strategy really takes, as positions, beside what is proved of its code."""

from collections.abc import Callable

from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.own.call import Call, Gave, Outcome
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.model.queues import MessageQueue, one_broker, positions_in

NO_LIST = (-1,)
"""In the place of positions: there is no list."""


def answered(worker: Worker) -> Callable[[int, int], tuple[tuple[int, ...], ...]]:
    """By numbers of queues and consumers: each consumer's positions, all of which see the same."""

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
