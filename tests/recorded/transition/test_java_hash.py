"""Java's hash codes, and the iteration order of its tables."""

import pytest

from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.recorded.transition.java import (
    SIZED_BY_4_9,
    iterate,
    queue_hash,
    string_hash,
    topics_in_order,
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 0),
        ("a", 97),
        ("hello", 99162322),
        ("Aa", 2112),
        ("BB", 2112),
        ("\u00e4", 228),
        ("\U0001f600", 0xD83D * 31 + 0xDE00),
        ("polygenelubricants", 2**31),
    ],
)
def test_string_hash_equals_java(text, code):
    assert string_hash(text) == code


def test_queue_hash_equals_java():
    assert queue_hash(MessageQueue("", "", 0)) == 31**3
    assert queue_hash(MessageQueue("T", "b0", 3)) == 31 * (31 * (31 + 98 * 31 + 48) + 3) + 84
    assert queue_hash(MessageQueue("T", "b0", -1)) == (31 * (31 * (31 + 98 * 31 + 48) - 1) + 84) % 2**32


def ids(table, queues, held=4):
    """queueIds in the order of that table."""
    return [queue.queue_id for queue in iterate(table, queues, held)]


QUEUES = one_broker(4, "T", "b0")


def test_recorded_orders_are_reproduced():
    assert ids("table", QUEUES) == [3, 1, 2, 0]
    assert ids("set", QUEUES) == [2, 3, 0, 1]
    assert ids("granted", QUEUES) == [2, 3, 0, 1]
    assert ids("removed", QUEUES) == [2, 3, 0, 1]


def test_removed_map_has_the_size_of_the_whole_table():
    orders = {held: ids("removed", QUEUES[:2], held) for held in (0, 1, 2, 3, 4, 5, 8, 9, 64)}
    assert orders == {
        held: ids_of(QUEUES[:2], buckets)
        for held, buckets in {0: 4, 1: 4, 2: 4, 3: 4, 4: 4, 5: 8, 8: 8, 9: 16, 64: 64}.items()
    }


def ids_of(queues, buckets):
    """By the definition: bucket after bucket."""
    found = [(queue, (code := queue_hash(queue)) ^ code >> 16) for queue in queues]
    return [queue.queue_id for bucket in range(buckets) for queue, spread in found if spread % buckets == bucket]


@pytest.mark.parametrize(("count", "buckets"), [(0, 16), (12, 16), (13, 32), (24, 32), (25, 64)])
def test_set_grows(count, buckets):
    queues = one_broker(count)
    assert ids("set", queues) == ids_of(queues, buckets)


def test_table_does_not_grow():
    queues = one_broker(90)
    assert ids("table", queues) == ids_of(queues, 128)


def test_first_of_one_bucket_comes_first():
    same = [MessageQueue("T", broker_name, 0) for broker_name in ("Aa", "BB")]
    assert list(iterate("set", same, 0)) == same
    assert list(iterate("table", same[::-1], 0)) == same[::-1]


def test_topics_are_iterated_like_java():
    assert topics_in_order(["T", "%RETRY%G_T"]) == ["%RETRY%G_T", "T"]
    assert topics_in_order(["W", "V", "T", "U"]) == ["T", "U", "V", "W"]
    assert list(iterate("topics", ["W", "V", "T", "U"], 0)) == ["T", "U", "V", "W"]


def test_brokers_are_iterated_like_java():
    names = [f"b{number}" for number in range(20, 0, -1)]
    by_default = sorted(names, key=lambda name: ((code := string_hash(name)) ^ code >> 16) % 32)
    assert list(iterate("brokers", names, 64)) == by_default
    for held, buckets in ((20, 32), (64, 64)):
        made_to_measure = sorted(names, key=lambda name: ((code := string_hash(name)) ^ code >> 16) % buckets)
        assert list(iterate("brokers", names, held, SIZED_BY_4_9)) == made_to_measure
