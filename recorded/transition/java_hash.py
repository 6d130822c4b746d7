"""The order in which Java iterates its hash tables.

The number of a table's buckets is a power of two, and it is iterated bucket by bucket; in a bucket the elements are in
order of insertion. Not modelled: buckets that become trees (from 8 elements in one bucket on), and the growth of a
``ConcurrentHashMap`` (from 96 queues of one consumer on).
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from rebalance_proofs.model.orders import utf16_units
from rebalance_proofs.model.queues import MessageQueue

PROCESS_QUEUE_TABLE_BUCKETS = 128
"""Number of buckets of ``processQueueTable``, which is a ``ConcurrentHashMap(64)``."""
DEFAULT_BUCKETS = 16
SIZED = frozenset({"removed"})
SIZED_BY_4_9 = frozenset({"removed", "brokers"})
"""Maps that a client creates with the size of its table as capacity.

In 4.9, ``brokers`` is one.
"""
WORD = 0xFFFFFFFF


def string_hash(text: str) -> int:
    """Return ``String.hashCode`` as an unsigned number."""
    units, result = utf16_units(text), 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        result = (31 * result + (high << 8 | low)) & WORD
    return result


def queue_hash(queue: MessageQueue) -> int:
    """Return ``MessageQueue.hashCode`` as an unsigned number."""
    result = 31 + string_hash(queue.broker_name)
    result = 31 * result + queue.queue_id
    return (31 * result + string_hash(queue.topic)) & WORD


def iterate(table: str, queues: Collection[Any], held: int, sized: Collection[str] = SIZED) -> Iterable[Any]:
    """Return queues in the order in which Java iterates the map named ``table``.

    ``held`` is the number of the client's process queues. The maps in ``sized`` are created with the capacity ``held``,
    the others with the default one.
    """
    if table == "table":
        return _in_order(queues, queue_hash, PROCESS_QUEUE_TABLE_BUCKETS)
    if table == "topics":
        return topics_in_order(queues)
    buckets = _power_of_two(held) if table in sized else DEFAULT_BUCKETS
    if table != "brokers":
        return _in_order(queues, queue_hash, _grown(buckets, queues))
    # A map of brokers that is created with that capacity does not grow.
    return _in_order(queues, string_hash, buckets if table in sized else _grown(buckets, queues))


def topics_in_order(topics: Collection[str]) -> list[str]:
    """Return the subscribed topics in Java's order."""
    return _in_order(topics, string_hash, DEFAULT_BUCKETS)


def _in_order(elements: Iterable[Any], hash_of: Callable[[Any], int], buckets: int) -> list[Any]:
    def bucket(element: Any) -> int:
        code = hash_of(element)
        return (code ^ code >> 16) & buckets - 1

    return sorted(elements, key=bucket)


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 0).bit_length()


def _grown(buckets: int, elements: Collection[Any]) -> int:
    """Return the number of a ``HashMap``'s buckets after growth.

    A ``HashMap`` doubles it when its elements exceed three quarters of it.
    """
    while len(elements) * 4 > buckets * 3:
        buckets *= 2
    return buckets
