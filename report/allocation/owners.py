"""Find the owner of each queue from the results of all consumers."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue

Owners = tuple[int | None, ...]
"""For each queue, the index of its consumer; None if no consumer takes it."""


def owners_of(strategy: Strategy, mq_all: Sequence[MessageQueue], ids: Sequence[str]) -> Owners:
    """Return the owners of queues if all consumers pass these lists to the strategy.

    Raises ``ValueError`` for a queue with two owners.
    """
    places = {queue: position for position, queue in enumerate(mq_all)}
    found: list[int | None] = [None] * len(mq_all)
    for place, client_id in enumerate(ids):
        for queue in strategy.allocate(client_id, mq_all, ids) or []:
            position = places[queue]
            if found[position] is not None:
                raise ValueError(f"{strategy.name}: two consumers take {queue}")
            found[position] = place
    return tuple(found)
