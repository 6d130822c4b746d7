"""The orders in which clients sort mqAll and cidAll. A group agrees on its queues only as far as these agree."""

from collections.abc import Callable

from rebalance_proofs.model.queues import MessageQueue

StringKey = Callable[[str], bytes]
"""A sort key of strings."""

CompareIds = Callable[[int, int], int]
"""Negative, zero or positive as the left queueId sorts before, with or behind the right one."""


def utf16_units(text: str) -> bytes:
    """Sort key by UTF-16 units: Java's ``String.compareTo`` and JavaScript's ``<``."""
    return text.encode("utf-16-be", "surrogatepass")


def utf8_bytes(text: str) -> bytes:
    """Sort key by UTF-8 bytes, which is also the order of code points: the ``<`` of Go, C++ and Rust.

    Differs from ``utf16_units`` only where a supplementary character meets one of U+E000 .. U+FFFF.
    """
    return text.encode("utf-8", "surrogatepass")


def by_value(left: int, right: int) -> int:
    """Comparison of queueIds as numbers."""
    return (left > right) - (left < right)


def by_int32_difference(left: int, right: int) -> int:
    """Comparison of queueIds by ``left - right`` in a 32-bit int, which wraps around.

    It is no order where a difference overflows: 2147483647 < -2 < 0 < 2147483647. What a sort makes of such ids depends
    on its algorithm and on the order that it was given; recorded results say what it makes of two.
    """
    return (left - right + 2**31) % 2**32 - 2**31


def compare_queues(left: MessageQueue, right: MessageQueue, string_key: StringKey, compare_ids: CompareIds) -> int:
    """``MessageQueue.compareTo``: topic, then brokerName, then queueId; the sign says which sorts first."""
    if left.topic != right.topic:
        return -1 if string_key(left.topic) < string_key(right.topic) else 1
    if left.broker_name != right.broker_name:
        return -1 if string_key(left.broker_name) < string_key(right.broker_name) else 1
    return compare_ids(left.queue_id, right.queue_id)
