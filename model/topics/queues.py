"""Helpers for queues of several topics: lists of them, and divisions into topics as bits."""

from collections.abc import Sequence
from itertools import accumulate

from rebalance_proofs.model.orders import utf16_units
from rebalance_proofs.model.queues import MessageQueue, one_broker


def topic_names(count: int) -> tuple[str, ...]:
    """Return ``count`` topic names, in an order that every client uses."""
    return tuple(f"T{number}" if count <= 10 else f"T{number:04d}" for number in range(count))


def queues_of(sizes: Sequence[int]) -> tuple[MessageQueue, ...]:
    """Return the queues of topics of these sizes, in an order that every client uses.

    One topic follows after the other.
    """
    named = zip(sizes, topic_names(len(sizes)), strict=True)
    return tuple(queue for size, topic in named for queue in one_broker(size, topic))


def by_topic(mq_all: Sequence[MessageQueue]) -> dict[str, list[MessageQueue]]:
    """Return each topic's queues, in the order of the list."""
    found: dict[str, list[MessageQueue]] = {}
    for queue in mq_all:
        found.setdefault(queue.topic, []).append(queue)
    return found


def in_order_of_kafka(queue: MessageQueue) -> tuple[bytes, bytes, int]:
    """Return Kafka's sort key of a queue: strings are compared by UTF-16 units."""
    return utf16_units(queue.topic), utf16_units(queue.broker_name), queue.queue_id


def sizes_of(bits: Sequence[int]) -> tuple[int, ...]:
    """Return the number of queues of each topic.

    Bit k - 1 says that a new topic begins at queue k.
    """
    sizes = [1]
    for new in bits:
        if new:
            sizes.append(1)
        else:
            sizes[-1] += 1
    return tuple(sizes)


def bits_of(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the bits that encode topics of these sizes: the inverse of ``sizes_of``."""
    begins = set(accumulate(sizes))
    return tuple(int(place in begins) for place in range(1, sum(sizes)))
