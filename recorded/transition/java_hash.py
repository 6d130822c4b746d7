"""In which order Java goes through its hash tables.

A table has a power of two of buckets and is gone through bucket by bucket; in a bucket the elements stand in the order
in which they came. What is left out: buckets that become trees (from 8 elements in one bucket on), and the growth of a
``ConcurrentHashMap`` (from 96 queues of one consumer on).
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from rebalance_proofs.model.orders import utf16_units
from rebalance_proofs.model.queues import MessageQueue

__all__ = ["iterate", "queue_hash", "string_hash", "topics_in_order"]

PROCESS_QUEUE_TABLE_BUCKETS = 128
"""``processQueueTable`` is a ``ConcurrentHashMap(64)``."""
DEFAULT_BUCKETS = 16
SIZED = frozenset({"removed"})
SIZED_BY_4_9 = frozenset({"removed", "brokers"})
"""The maps that a client makes for as many entries as its table of queues has."""
WORD = 0xFFFFFFFF


def string_hash(text: str) -> int:
    """``String.hashCode``, without a sign."""
    units, result = utf16_units(text), 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        result = (31 * result + (high << 8 | low)) & WORD
    return result


def queue_hash(queue: MessageQueue) -> int:
    """``MessageQueue.hashCode``, without a sign."""
    result = 31 + string_hash(queue.broker_name)
    result = 31 * result + queue.queue_id
    return (31 * result + string_hash(queue.topic)) & WORD


def iterate(table: str, queues: Collection[Any], held: int, sized: Collection[str] = SIZED) -> Iterable[Any]:
    """``RebalanceImpl.iterate`` of a client that has ``held`` queues in its table.

    The maps in ``sized`` are made for as many as there are, the others for the default number.
    """
    if table == "table":
        return _in_order(queues, queue_hash, PROCESS_QUEUE_TABLE_BUCKETS)
    if table == "topics":
        return topics_in_order(queues)
    buckets = _power_of_two(held) if table in sized else DEFAULT_BUCKETS
    if table != "brokers":
        return _in_order(queues, queue_hash, _grown(buckets, queues))
    # One that is made for as many as there are is made not to grow, too.
    return _in_order(queues, string_hash, buckets if table in sized else _grown(buckets, queues))


def topics_in_order(topics: Collection[str]) -> list[str]:
    """Those that are subscribed to."""
    return _in_order(topics, string_hash, DEFAULT_BUCKETS)


def _in_order(elements: Iterable[Any], hash_of: Callable[[Any], int], buckets: int) -> list[Any]:
    def bucket(element: Any) -> int:
        code = hash_of(element)
        return (code ^ code >> 16) & buckets - 1

    return sorted(elements, key=bucket)


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 0).bit_length()


def _grown(buckets: int, elements: Collection[Any]) -> int:
    """A ``HashMap`` doubles when more than three quarters as many elements have come as it has buckets."""
    while len(elements) * 4 > buckets * 3:
        buckets *= 2
    return buckets
