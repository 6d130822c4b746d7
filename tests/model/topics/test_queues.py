"""Queues of several topics: names, order, and topics as bits."""

from itertools import product

import pytest

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.topics.encoding import bits_of, by_topic, queues_of, sizes_of, topic_names


@pytest.mark.parametrize(
    ("bits", "sizes"),
    [((), (1,)), ((0,), (2,)), ((1,), (1, 1)), ((0, 1, 0), (2, 2)), ((1, 0, 0, 1), (1, 3, 1))],
)
def test_bit_marks_the_start_of_a_topic(bits, sizes):
    assert sizes_of(bits) == sizes
    assert bits_of(sizes) == bits


@pytest.mark.parametrize("q", range(1, 7))
def test_bits_encode_every_division_into_topics_once(q):
    found = [sizes_of(bits) for bits in product((0, 1), repeat=q - 1)]
    assert len(set(found)) == 2 ** (q - 1)
    assert {sum(sizes) for sizes in found} == {q}
    assert [bits_of(sizes) for sizes in found] == list(product((0, 1), repeat=q - 1))


def test_queues_are_sorted_by_topic():
    queues = queues_of((2, 1))
    assert queues == (
        MessageQueue("T0", "broker-a", 0),
        MessageQueue("T0", "broker-a", 1),
        MessageQueue("T1", "broker-a", 0),
    )
    assert by_topic(queues) == {"T0": list(queues[:2]), "T1": [queues[2]]}


@pytest.mark.parametrize("count", [1, 10, 11, 120])
def test_many_topics_and_queues_are_sorted_for_every_client(count):
    queues = queues_of((1,) * (count - 1) + (12,))
    assert sorted(queues) == list(queues)
    assert list(by_topic(queues)) == list(topic_names(count))
    assert len(set(topic_names(count))) == count
