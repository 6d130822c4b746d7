"""Strategies over the queues of several topics.

To add one, write its file and name it in ``STRATEGIES``.
"""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.topics.encoding import (
    AVERAGELY_OF_ONE_LIST,
    AVERAGELY_PER_TOPIC,
    CIRCLE_OF_ONE_LIST,
    CIRCLE_PER_TOPIC,
)
from rebalance_proofs.model.topics.family import TOPICS
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.model.topics.kafka_round_robin import KAFKA_ROUND_ROBIN

__all__ = ["STRATEGIES", "TOPICS"]

STRATEGIES: tuple[Strategy, ...] = (
    AVERAGELY_PER_TOPIC,
    CIRCLE_PER_TOPIC,
    KAFKA_RANGE,
    AVERAGELY_OF_ONE_LIST,
    CIRCLE_OF_ONE_LIST,
    KAFKA_ROUND_ROBIN,
)
"""Strategies over several topics.

First come those that divide each topic on its own, then those that divide all topics together.
"""
