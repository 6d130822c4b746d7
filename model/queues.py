"""``MessageQueue``: a queue of a topic, which one consumer of a group owns at a time."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple


class MessageQueue(NamedTuple):
    """One queue of a topic on one broker (RocketMQ ``common.message.MessageQueue``).

    ``queue_id`` is a Java ``int``; RocketMQ numbers queues from 0 on every broker.
    """

    topic: str
    broker_name: str
    queue_id: int


def to_string(queue: MessageQueue | None) -> str:
    """Return the text of Java's ``MessageQueue.toString``.

    It is the queue's key in CONSISTENT_HASH, and the queue's name in messages.
    """
    if queue is None:
        return "null"
    broker_name = "null" if queue.broker_name is None else queue.broker_name
    return f"MessageQueue [topic={queue.topic}, brokerName={broker_name}, queueId={queue.queue_id}]"


@cache
def one_broker(count: int, topic: str = "T", broker_name: str = "broker-a") -> tuple[MessageQueue, ...]:
    """Return queues 0 .. count-1 of one broker, in the order in which every client sorts them."""
    return tuple(MessageQueue(topic, broker_name, queue_id) for queue_id in range(count))


NOWHERE = -1
"""Result of ``positions_in`` for a queue that is not in the list."""


def positions_in(mq_all: Sequence[MessageQueue], queues: Sequence[MessageQueue]) -> list[int]:
    """Return the position of each of ``queues`` in ``mq_all``, ``NOWHERE`` if it is missing."""
    return [mq_all.index(queue) if queue in mq_all else NOWHERE for queue in queues]
