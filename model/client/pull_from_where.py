"""The offset at which a consumer starts to pull from a new queue."""

from enum import Enum

from rebalance_proofs.model.client.effects import MQClientException
from rebalance_proofs.model.client.environment import MEMORY_FIRST, NOT_FOUND, STORE, Environment
from rebalance_proofs.model.queues import MessageQueue

RETRY_GROUP_TOPIC_PREFIX = "%RETRY%"


class ConsumeFromWhere(Enum):
    """The start position of a group without an offset.

    Three of the values are deprecated and, for push, mean LAST.
    """

    LAST_OFFSET = "CONSUME_FROM_LAST_OFFSET"
    FIRST_OFFSET = "CONSUME_FROM_FIRST_OFFSET"
    TIMESTAMP = "CONSUME_FROM_TIMESTAMP"
    LAST_OFFSET_AND_FROM_MIN_WHEN_BOOT_FIRST = "CONSUME_FROM_LAST_OFFSET_AND_FROM_MIN_WHEN_BOOT_FIRST"
    MIN_OFFSET = "CONSUME_FROM_MIN_OFFSET"
    MAX_OFFSET = "CONSUME_FROM_MAX_OFFSET"


def is_retry(topic: str) -> bool:
    """Return whether the topic is a group's retry topic."""
    return topic.startswith(RETRY_GROUP_TOPIC_PREFIX)


def push(environment: Environment, queue: MessageQueue, where: ConsumeFromWhere) -> int:
    """Return the start offset for a push consumer, which is never negative.

    Mirror of ``RebalancePushImpl.computePullFromWhereWithException``. Raises ``MQClientException`` if a query
    failed, and whatever the offset store throws.
    """
    result = push_v4_9(environment, queue, where)
    if result < 0:
        raise MQClientException(f"unexpected offset {result}")
    return result


def push_v4_9(environment: Environment, queue: MessageQueue, where: ConsumeFromWhere) -> int:
    """Return the start offset for a push consumer of 4.9; negative if there is none.

    Raises ``MQClientException`` if ``maxOffset`` or ``searchOffset`` failed, and whatever the offset store throws.
    """
    offset = environment.read_offset(queue, STORE)
    if offset >= 0:
        return offset
    return _without_offset(environment, queue, where) if offset == NOT_FOUND else -1


def lite_pull(environment: Environment, queue: MessageQueue, where: ConsumeFromWhere) -> int:
    """Return the start offset for a lite pull consumer; negative if there is none.

    Mirror of ``RebalanceLitePullImpl.computePullFromWhereWithException``. Raises ``MQClientException`` if
    ``maxOffset`` or ``searchOffset`` failed, and whatever the offset store throws.
    """
    if where not in (ConsumeFromWhere.LAST_OFFSET, ConsumeFromWhere.FIRST_OFFSET, ConsumeFromWhere.TIMESTAMP):
        return -1
    offset = environment.read_offset(queue, MEMORY_FIRST)
    if offset >= 0:
        return offset
    return _without_offset(environment, queue, where) if offset == NOT_FOUND else -1


def pull(environment: Environment, queue: MessageQueue, where: ConsumeFromWhere) -> int:
    """Return 0 as the start offset for a pull consumer, whose user chooses the offset.

    Mirror of ``RebalancePullImpl.computePullFromWhereWithException``.
    """
    return 0


def _without_offset(environment: Environment, queue: MessageQueue, where: ConsumeFromWhere) -> int:
    if where is ConsumeFromWhere.FIRST_OFFSET:
        return 0
    if where is ConsumeFromWhere.TIMESTAMP:
        return environment.max_offset(queue) if is_retry(queue.topic) else environment.search_offset(queue)
    return 0 if is_retry(queue.topic) else environment.max_offset(queue)
