"""Strategies that allocate each topic on its own, as RocketMQ clients do.

cidAll is the same for all topics.
"""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.topics.encoding import ONE_LIST, PER_TOPIC, by_topic, mutants, of_each_topic, of_one_list

# Strategies that allocate the queues of all topics as one list; no RocketMQ client does.


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


def per_topic(inner: Strategy) -> Strategy:
    """Return the strategy that applies ``inner`` to each topic, as the client's loop does."""

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        result: list[MessageQueue] = []
        for queues in by_topic(mq_all).values():
            result.extend(inner.allocate(current_cid, queues, cid_all) or ())
        return result

    encoding = of_each_topic(inner.encoding)
    return Strategy(
        name=f"{inner.name}-per-topic",
        rocketmq_name=f"{inner.rocketmq_name}, topic by topic",
        source="org.apache.rocketmq.client.impl.consumer.RebalanceImpl#doRebalance",
        allocate=allocate,
        encoding=encoding,
        mutants=mutants(encoding),
        **PER_TOPIC,
    )


AVERAGELY_PER_TOPIC = per_topic(AVERAGELY)
CIRCLE_PER_TOPIC = per_topic(AVERAGELY_BY_CIRCLE)

TOPIC_BY_TOPIC = (AVERAGELY_PER_TOPIC, CIRCLE_PER_TOPIC)
"""Strategies of RocketMQ clients, applied to each topic."""
