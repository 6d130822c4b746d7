"""Several topics: strategies over the queues of all topics of a group. To add one: write its file, name it below."""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.topics.family import TOPICS
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.model.topics.kafka_round_robin import KAFKA_ROUND_ROBIN
from rebalance_proofs.model.topics.one_list import AVERAGELY_OF_ONE_LIST, CIRCLE_OF_ONE_LIST
from rebalance_proofs.model.topics.per_topic import AVERAGELY_PER_TOPIC, CIRCLE_PER_TOPIC

__all__ = ["STRATEGIES", "TOPICS"]

STRATEGIES: tuple[Strategy, ...] = (
    AVERAGELY_PER_TOPIC,
    CIRCLE_PER_TOPIC,
    KAFKA_RANGE,
    AVERAGELY_OF_ONE_LIST,
    CIRCLE_OF_ONE_LIST,
    KAFKA_ROUND_ROBIN,
)
"""First those that divide one topic after the other, then those that look at all topics together."""
