"""``MessageQueue``: a queue of a topic, which one consumer of a group owns at a time."""

from collections.abc import Callable, Sequence
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


# The sort orders that clients use for mqAll and cidAll.
# Members of a group need the same order to agree.

StringKey = Callable[[str], bytes]
"""A function that returns a client's sort key of a string."""

CompareIds = Callable[[int, int], int]
"""Compare two queueIds: negative, zero or positive, like Java's ``compareTo``."""


def utf16_units(text: str) -> bytes:
    """Return the sort key by UTF-16 units.

    This is the order of Java's ``String.compareTo`` and JavaScript's ``<``.
    """
    return text.encode("utf-16-be", "surrogatepass")


def utf8_bytes(text: str) -> bytes:
    """Return the sort key by UTF-8 bytes, which is code point order.

    This is the order of ``<`` in Go, C++ and Rust. It differs from ``utf16_units`` only between a supplementary
    character and one of U+E000 .. U+FFFF.
    """
    return text.encode("utf-8", "surrogatepass")


def by_value(left: int, right: int) -> int:
    """Compare two queueIds as numbers: negative, zero or positive."""
    return (left > right) - (left < right)


def by_int32_difference(left: int, right: int) -> int:
    """Compare two queueIds by ``left - right`` in a 32-bit int, which wraps around on overflow.

    On overflow this is not an order: 2147483647 < -2 < 0 < 2147483647. The result of a sort then depends on the sort
    algorithm and on the input order. Recorded results show the outcome for two such ids.
    """
    return (left - right + 2**31) % 2**32 - 2**31


def compare_queues(left: MessageQueue, right: MessageQueue, string_key: StringKey, compare_ids: CompareIds) -> int:
    """Compare two queues by topic, then brokerName, then queueId.

    Mirror of ``MessageQueue.compareTo``. The result is negative, zero or positive.
    """
    if left.topic != right.topic:
        return -1 if string_key(left.topic) < string_key(right.topic) else 1
    if left.broker_name != right.broker_name:
        return -1 if string_key(left.broker_name) < string_key(right.broker_name) else 1
    return compare_ids(left.queue_id, right.queue_id)
