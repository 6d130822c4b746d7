"""CONSISTENT_HASH of the Go client, where it differs from Java's."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import (
    CONSISTENT_HASH,
    CONSISTENT_HASH_GO,
    build_circle,
    consistent_hash_go,
    crc32_hash,
)
from rebalance_proofs.model.allocation.strategy import Fault
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker, to_string
from tests.model.allocation.shares import shares

A, B = "a", "b"
QUEUE = one_broker(1)
QUEUE_KEY = to_string(QUEUE[0])


def owner(table, cid_all, virtual_nodes=1):
    """Who gets the one queue."""
    allocate = consistent_hash_go(virtual_nodes, table.__getitem__)
    (found,) = [cid for cid in dict.fromkeys(cid_all) if allocate(cid, QUEUE, cid_all)]
    return found


def test_go_hash_is_crc32():
    assert crc32_hash("123456789") == 0xCBF43926
    assert crc32_hash("\u6d88") == zlib.crc32(b"\xe6\xb6\x88")


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        pytest.param(9, A, id="in front of all"),
        pytest.param(10, B, id="at a node: the next one"),
        pytest.param(20, A, id="at the last node: around to the first"),
        pytest.param(21, A, id="behind the last"),
    ],
)
def test_go_queue_goes_to_the_first_node_after_its_hash(queue, expected):
    assert owner({"0a": 10, "0b": 20, QUEUE_KEY: queue}, [A, B]) == expected


@pytest.mark.parametrize(("cid_all", "expected"), [([A, B], B), ([B, A], A)])
def test_go_later_id_wins_on_a_hash_collision(cid_all, expected):
    assert owner({"0a": 10, "0b": 10, QUEUE_KEY: 3}, cid_all) == expected


def test_go_repeated_id_has_no_additional_nodes():
    assert build_circle((A, A), 2, {"0a": 1, "1a": 2}.__getitem__) == ((1, 2), (A, A))


def test_go_keys_of_two_ids_can_collide():
    circle = build_circle(("1", "11"), 12, crc32_hash)
    assert len(circle.hashes) == 23  # the key 111 is number 11 of one id and number 1 of the other


def test_go_zero_virtual_nodes_panic():
    with pytest.raises(Fault, match=r"^runtime error: integer divide by zero$"):
        consistent_hash_go(0)(A, QUEUE, [A])
    assert consistent_hash_go(0)("c9", QUEUE, [A]) == []


def test_go_negative_virtual_nodes_assign_nothing():
    assert shares(CONSISTENT_HASH_GO.configured(virtual_nodes=-1), 4, client_ids(2)) == [[], []]


def test_go_null_id_is_the_empty_string():
    for null in (None, ""):
        circle = build_circle((A, null), 1, {"0a": 1, "0": 2}.__getitem__)
        assert circle.owners == (A, "")
        nameless = MessageQueue("T", null, 0)
        empty = "MessageQueue [topic=T, brokerName=, queueId=0]"
        assert consistent_hash_go(1, {"0a": 1, empty: 0}.__getitem__)(A, [nameless], [A]) == [nameless]


def test_go_null_queue_panics():
    with pytest.raises(Fault, match=r"^runtime error: invalid memory address or nil pointer dereference$"):
        consistent_hash_go()(A, [*QUEUE, None], [A])


@given(c=st.integers(1, 20), q=st.integers(1, 40), v=st.integers(1, 12))
def test_go_every_queue_has_exactly_one_owner(c, q, v):
    found = shares(CONSISTENT_HASH_GO.configured(virtual_nodes=v), q, client_ids(c))
    assert sorted(queue for share in found for queue in share) == list(range(q))


def test_go_accepts_unhashable_hash_functions():
    class Unhashable:
        __hash__ = None

        def __call__(self, key):
            return {"0a": 10, "0b": 20, QUEUE_KEY: 10}[key]

    assert consistent_hash_go(1, Unhashable())(B, QUEUE, [A, B]) == [*QUEUE]


def test_java_and_go_disagree_on_three_queues_and_two_consumers():
    assert shares(CONSISTENT_HASH, 3, client_ids(2)) == [[0, 1], [2]]
    assert shares(CONSISTENT_HASH_GO, 3, client_ids(2)) == [[0, 1, 2], []]
