"""Strategies that allocate the queues of all topics as one list; no RocketMQ client does."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.topics.encoding import of_one_list
from rebalance_proofs.model.topics.mutants import mutants
from rebalance_proofs.model.topics.promises import ONE_LIST


def one_list(inner: Strategy) -> Strategy:
    """Return the strategy that applies ``inner`` to one list of all topics' queues."""
    encoding = of_one_list(inner.encoding)
    return Strategy(
        name=f"{inner.name}-one-list",
        rocketmq_name=f"{inner.rocketmq_name} over all topics' queues together",
        source=inner.source,
        allocate=inner.allocate,
        encoding=encoding,
        mutants=mutants(encoding),
        **ONE_LIST,
    )


AVERAGELY_OF_ONE_LIST = one_list(AVERAGELY)
CIRCLE_OF_ONE_LIST = one_list(AVERAGELY_BY_CIRCLE)
