"""CONSISTENT_HASH: the ring, node by node, and what follows from it for any hash function."""

import gc
import hashlib
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, build_ring, consistent_hash, md5_hash
from rebalance_proofs.model.allocation.strategy import AllocationError, Fault
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker, to_string
from tests.model.allocation.shares import shares

A, B, C = "a", "b", "c"
QUEUE = one_broker(1)
QUEUE_KEY = to_string(QUEUE[0])


def hashing(**hashes):
    """A hash function from ``a0=5`` for replica 0 of id a, ``queue=7`` for the one queue."""
    table = {(QUEUE_KEY if name == "queue" else f"{name[0]}-{name[1:]}"): number for name, number in hashes.items()}
    return table.__getitem__


def owner(hash_function, cid_all, virtual_nodes=1):
    """Who gets the one queue."""
    allocate = consistent_hash(virtual_nodes, hash_function)
    (found,) = [cid for cid in dict.fromkeys(cid_all) if allocate(cid, QUEUE, cid_all)]
    return found


@pytest.mark.parametrize(
    "text", ["", "c0-0", "MessageQueue [topic=T, brokerName=b, queueId=0]", "\u6d88\u8d39\u8005-0", "\U0001f600-9"]
)
def test_hash_is_the_first_four_bytes_of_md5(text):
    digits = hashlib.md5(text.encode("utf-8")).hexdigest()
    assert md5_hash(text) == int(digits[:8], 16)
    assert 0 <= md5_hash(text) < 2**32


def test_lone_surrogate_is_hashed_as_a_question_mark():
    assert md5_hash("\ud83d") == md5_hash("?")


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        pytest.param(0, A, id="in front of all"),
        pytest.param(10, A, id="at a node: the tail begins at the hash itself"),
        pytest.param(11, B, id="behind a node"),
        pytest.param(20, B, id="at the last node"),
        pytest.param(21, A, id="behind the last: around to the first"),
        pytest.param(-1, A, id="numbers are signed"),
    ],
)
def test_queue_goes_to_the_first_node_at_or_after_its_hash(queue, expected):
    assert owner(hashing(a0=10, b0=20, queue=queue), [A, B]) == expected


@pytest.mark.parametrize(("cid_all", "expected"), [([A, B], B), ([B, A], A)])
def test_later_id_wins_on_a_hash_collision(cid_all, expected):
    assert owner(hashing(a0=10, b0=10, queue=3), cid_all) == expected


def test_repeated_id_continues_its_replica_numbers():
    ring = build_ring((A, B, A), 2, hashing(a0=1, a1=2, b0=3, b1=4, a2=5, a3=6))
    assert [node.key for node in ring.nodes] == ["a-0", "a-1", "b-0", "b-1", "a-2", "a-3"]


def test_replaced_replica_does_not_count():
    ring = build_ring((A, B, A), 2, hashing(a0=1, a1=2, b0=2, b1=4, a2=5))
    assert ring.hashes == (1, 2, 4, 5)
    assert [node.key for node in ring.nodes] == ["a-0", "a-1", "b-1", "a-2"]  # a-1 was replaced by b-0 and came back


def test_node_key_is_the_id_with_its_replica_number():
    keys = []

    def listens(key):
        keys.append(key)
        return len(keys)

    consistent_hash(2, listens)(A, QUEUE, [A, "\u6d88"])
    assert keys == ["a-0", "a-1", "\u6d88-0", "\u6d88-1", QUEUE_KEY]


def test_zero_virtual_nodes_assign_nothing():
    assert shares(CONSISTENT_HASH.configured(virtual_nodes=0), 4, client_ids(3)) == [[], [], []]


def test_negative_virtual_nodes_are_refused_by_the_constructor():
    with pytest.raises(AllocationError, match=r"^illegal virtualNodeCnt :-1$"):
        consistent_hash(-1)


def test_ten_virtual_nodes_and_md5_are_the_default():
    given_, default = consistent_hash(10, md5_hash), CONSISTENT_HASH.allocate
    assert default("c1", one_broker(8), client_ids(3)) == given_("c1", one_broker(8), client_ids(3)) != []


@pytest.mark.parametrize("cid_all", [[A, None], [A, ""]])
def test_null_id_is_hashed_like_any_other(cid_all):
    text = {None: "null", "": ""}[cid_all[1]]
    ring = build_ring(tuple(cid_all), 1, {"a-0": 1, f"{text}-0": 2}.__getitem__)
    assert [node.client_id for node in ring.nodes] == cid_all


def test_id_after_a_null_id_is_a_fault():
    with pytest.raises(Fault):
        consistent_hash()(A, QUEUE, [None, A])


def test_null_queue_is_a_fault_even_without_virtual_nodes():
    for virtual_nodes in (0, 10):
        with pytest.raises(Fault):
            consistent_hash(virtual_nodes)(A, [*QUEUE, None], [A])


def test_equal_queues_stay_together_in_the_order_of_mq_all():
    mq_all = [MessageQueue("T", "b", number) for number in (3, 1, 3, 0)]
    for cid in (A, B):
        mine = consistent_hash()(cid, mq_all, [A, B])
        assert mine == [queue for queue in mq_all if queue in mine]


hash_tables = st.dictionaries(
    st.sampled_from([f"{cid}-{replica}" for cid in (A, B, C) for replica in range(6)])
    | st.sampled_from([to_string(queue) for queue in one_broker(4)]),
    st.integers(0, 5),
)


def expected_owner(table, key, cid_all, virtual_nodes):
    """The owner by going through all nodes, without a ring; None when there is no node."""
    nodes = []
    for cid in cid_all:
        first = sum(1 for _, other in nodes if other == cid)
        for replica in range(first, first + virtual_nodes):
            hash_ = table.get(f"{cid}-{replica}", 0)
            nodes = [node for node in nodes if node[0] != hash_]
            nodes.append((hash_, cid))
    at = table.get(key, 0)
    return min(nodes, key=lambda node: (node[0] < at, node[0]), default=(0, None))[1]


@given(table=hash_tables, cid_all=st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=4), v=st.integers(0, 3))
def test_every_queue_has_one_owner_for_any_hash_function(table, cid_all, v):
    allocate = consistent_hash(v, lambda key: table.get(key, 0))
    for queue in one_broker(4):
        owners = [cid for cid in dict.fromkeys(cid_all) if queue in allocate(cid, one_broker(4), cid_all)]
        expected = expected_owner(table, to_string(queue), cid_all, v)
        assert owners == ([] if expected is None else [expected])


@given(c=st.integers(1, 20), q=st.integers(1, 40), v=st.integers(1, 12))
def test_every_queue_has_exactly_one_owner(c, q, v):
    found = shares(CONSISTENT_HASH.configured(virtual_nodes=v), q, client_ids(c))
    assert sorted(queue for share in found for queue in share) == list(range(q))


@given(c=st.integers(1, 12), q=st.integers(1, 40), gone=st.integers(0, 11))
def test_leave_moves_only_queues_of_the_leaving_consumer(c, q, gone):
    before = client_ids(c + 1)
    after = [cid for place, cid in enumerate(before) if place != gone % (c + 1)]
    old = dict(zip(before, shares(CONSISTENT_HASH, q, before), strict=True))
    new = dict(zip(after, shares(CONSISTENT_HASH, q, after), strict=True))
    assert all(set(old[cid]) <= set(new[cid]) for cid in after)


class Unhashable:
    """A hash function that no dictionary takes as a key."""

    __hash__ = None

    def __init__(self, table):
        self.table = table

    def __call__(self, key):
        return self.table[key]


def test_hash_functions_are_distinguished_by_identity():
    for cid in (A, B):
        table = {"a-0": 1, "b-0": 2, QUEUE_KEY: 1 if cid == A else 2}
        for hash_function in (table.__getitem__, lambda key, table=table: table[key], Unhashable(table)):
            assert owner(hash_function, [A, B]) == cid


def test_hash_functions_are_released_from_the_cache():
    kept = []
    for number in range(2000):
        hash_function = Unhashable({"a-0": number, QUEUE_KEY: 0})
        kept.append(weakref.ref(hash_function))
        assert owner(hash_function, [A]) == A
    del hash_function
    gc.collect()
    assert sum(reference() is not None for reference in kept) <= 300
