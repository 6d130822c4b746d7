"""The sort orders that clients use for mqAll and cidAll.

Members of a group need the same order to agree.
"""

from collections.abc import Callable

from rebalance_proofs.model.queues import MessageQueue

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
