"""The ring as terms: a fold over virtual nodes, compared with the clients' code for any hash values."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.ring import MUTANTS, NOBODY, RING, RING_GO, Nearest, Node
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify

HASHES = st.integers(0, 4) | st.integers(-(2**62), 2**62)
"""Few, so that there are collisions; or any."""


@cache
def kernel(encoding, owners, present=None):
    """Over the hash values of a queue and of one node a place in ``owners``: found, owner and hash of the nearest."""
    names = ["queue", *(f"node{place}" for place in range(len(owners)))]
    there = present or (True,) * len(owners)
    nodes = [
        Node(smt.Int(name), smt.IntVal(owner), smt.BoolVal(put))
        for name, owner, put in zip(names[1:], owners, there, strict=True)
    ]
    nearest = encoding.route(smt.Int("queue"), nodes)
    return compile_kernel(names, nearest.found, nearest.owner, nearest.hash)


def route(encoding, owners, hashes, queue, present=None):
    """The same for given hash values: the owner, ``NOBODY`` where no node is reached, and the hash."""
    found, owner, hash_ = kernel(encoding, tuple(owners), present and tuple(present))(queue, *hashes)
    return (int(owner), int(hash_)) if found else (NOBODY, None)


def by_the_code(strategy, key, n, v, hashes, queue):
    """The place of the consumer to whom the client's code gives the one queue, ``NOBODY`` for nobody."""
    ids, (only,) = client_ids(n), one_broker(1)
    keys = [key.format(id=client_id, replica=replica) for client_id in ids for replica in range(v)]
    table = dict(zip(keys, hashes, strict=True)) | {to_string(only): queue}
    allocate = strategy.configured(virtual_nodes=v, hash_function=table.__getitem__).allocate
    found = [place for place, client_id in enumerate(ids) if allocate(client_id, (only,), ids)]
    assert len(found) <= 1
    return found[0] if found else NOBODY


@st.composite
def rings(draw, least_nodes=0):
    """(consumers, virtual nodes each, hash values of the nodes consumer by consumer, of the queue)."""
    n, v = draw(st.integers(1, 4)), draw(st.integers(least_nodes, 3))
    return n, v, draw(st.lists(HASHES, min_size=n * v, max_size=n * v)), draw(HASHES)


def owners(n, v):
    return tuple(place for place in range(n) for _ in range(v))


@given(rings())
def test_ring_term_equals_the_java_client(ring):
    n, v, hashes, queue = ring
    expected = by_the_code(CONSISTENT_HASH, "{id}-{replica}", n, v, hashes, queue)
    assert route(RING, owners(n, v), hashes, queue)[0] == expected


@given(rings(least_nodes=1))
def test_ring_term_equals_the_go_client(ring):
    n, v, hashes, queue = ring
    expected = by_the_code(CONSISTENT_HASH_GO, "{replica}{id}", n, v, hashes, queue)
    assert route(RING_GO, owners(n, v), hashes, queue)[0] == expected


def test_ring_without_nodes_has_no_owner():
    assert route(RING, (), (), 5) == (NOBODY, None)


@given(hashes=st.lists(HASHES, min_size=1, max_size=5, unique=True), queue=HASHES, data=st.data())
def test_order_of_nodes_matters_only_on_collisions(hashes, queue, data):
    nodes = list(enumerate(hashes))
    others = data.draw(st.permutations(nodes))
    assert route(RING, *zip(*others, strict=True), queue) == route(RING, *zip(*nodes, strict=True), queue)


@given(data=st.data(), hashes=st.lists(HASHES, max_size=4), queue=HASHES)
def test_absent_node_changes_nothing(data, hashes, queue):
    present = data.draw(st.tuples(*(st.booleans() for _ in hashes)))
    put = [place for place in range(len(hashes)) if present[place]]
    expected = route(RING, put, [hashes[place] for place in put], queue)
    assert route(RING, range(len(hashes)), hashes, queue, present) == expected


@given(hashes=st.lists(HASHES, min_size=1, max_size=6), queue=HASHES)
def test_nearest_node_is_the_first_after_the_hash_and_the_last_added(hashes, queue):
    nodes = [((hash_ < queue, hash_, -place), place) for place, hash_ in enumerate(hashes)]
    nearest = min(nodes)[1]
    assert route(RING, range(len(hashes)), hashes, queue) == (nearest, hashes[nearest])


@pytest.mark.parametrize(
    ("hash_", "wins"),
    [
        pytest.param(4, False, id="behind the queue"),
        pytest.param(5, True, id="at the queue"),
        pytest.param(6, True, id="nearer"),
        pytest.param(7, True, id="a collision: the later one"),
        pytest.param(8, False, id="farther"),
    ],
)
def test_nearer_of_two_nodes_is_kept(hash_, wins):
    nearest = Nearest(smt.BoolVal(True), smt.IntVal(7), smt.IntVal(0))
    after = RING.put(smt.IntVal(5), nearest, Node(smt.IntVal(hash_), smt.IntVal(1)))
    assert [simplify(part).number for part in (after.hash, after.owner)] == ([hash_, 1] if wins else [7, 0])


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_ring_mutant_changes_the_owner_on_a_small_ring(mutant):
    grid = np.indices((5, 5, 5)).reshape(3, -1)
    right, wrong = (kernel(encoding, (0, 1))(*grid)[:2] for encoding in (RING, mutant.encoding))
    assert any((a != b).any() for a, b in zip(right, wrong, strict=True))


def test_go_and_java_differ_for_a_node_at_the_queues_hash():
    queue, *nodes = np.indices((5, 5, 5)).reshape(3, -1)
    _, java, _ = kernel(RING, (0, 1))(queue, *nodes)
    _, go, _ = kernel(RING_GO, (0, 1))(queue, *nodes)
    meets = (queue == nodes[0]) | (queue == nodes[1])
    assert (java != go).any()
    assert meets[java != go].all()
