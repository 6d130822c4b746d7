"""Strategies inverted: at which indexes of cidAll a member would get just these queues."""

from collections.abc import Collection, Sequence
from functools import cache

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.recorded.logs.fact import Queue

__all__ = ["indexes", "sizes"]

INVERTED = {one.rocketmq_name: one for one in (AVERAGELY, AVERAGELY_BY_CIRCLE)}
"""Strategies whose result is a function of both sizes and the index alone, by RocketMQ's names."""
MOST = 4096
"""Largest number of queues or members for which it is done."""


@cache
def _shares(strategy: str, queues: int, members: int) -> tuple[frozenset[int], ...]:
    """Positions in mqAll that each index gets."""
    cid_all = [str(number) for number in range(members)]
    mq_all = one_broker(queues)
    allocate = INVERTED[strategy].allocate
    return tuple(frozenset(queue.queue_id for queue in allocate(cid, mq_all, cid_all) or ()) for cid in cid_all)


def indexes(strategy: str, mq_all: Sequence[Queue], members: int, result: Collection[Queue]) -> tuple[int, ...] | None:
    """Indexes that get just that result; None if the strategy is not one that can be inverted, or is too large."""
    if strategy not in INVERTED or not 0 < members <= MOST or not 0 < len(mq_all) <= MOST:
        return None
    places = {queue: place for place, queue in enumerate(mq_all)}
    if any(queue not in places for queue in result):
        return ()
    wanted = frozenset(places[queue] for queue in result)
    return tuple(index for index, own in enumerate(_shares(strategy, len(mq_all), members)) if own == wanted)


def sizes(strategy: str, queues: int, members: int) -> frozenset[int] | None:
    """Sizes of results; None as above."""
    if strategy not in INVERTED or not 0 < members <= MOST or not 0 < queues <= MOST:
        return None
    return frozenset(len(own) for own in _shares(strategy, queues, members))
