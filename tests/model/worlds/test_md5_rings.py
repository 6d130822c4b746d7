"""A queue's order of preference among consumers under MD5, compared with the default CONSISTENT_HASH."""

from itertools import product

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.worlds.rings import MD5_RINGS, owner_among, preferences


def owner_by_the_code(present, place):
    """The index among all consumers of the one that takes the queue, when these are in cidAll."""
    ids, queues = client_ids(len(present)), one_broker(place + 1)
    listed = [client_id for client_id, there in zip(ids, present, strict=True) if there]
    found = [client_id for client_id in listed if queues[place] in CONSISTENT_HASH.allocate(client_id, queues, listed)]
    return ids.index(*found) if found else -1


@pytest.mark.parametrize("n", range(1, 6))
def test_first_preference_takes_the_queue_for_every_subset(n):
    for place in range(6):
        for present in product((False, True), repeat=n):
            owner = simplify(owner_among(list(map(smt.BoolVal, present)), place)).number
            assert owner == owner_by_the_code(present, place), (place, present)


@pytest.mark.parametrize("n", range(1, 6))
def test_preferences_are_permutations(n):
    for place in range(6):
        assert sorted(preferences(n, place)) == [*range(n)]


def test_queues_have_different_preferences():
    assert len({preferences(5, place) for place in range(6)}) > 1


def test_more_consumers_keep_the_order_of_the_others():
    for place in range(6):
        for n in range(1, 5):
            assert [index for index in preferences(n + 1, place) if index < n] == [*preferences(n, place)]


def test_each_size_has_one_group_with_default_arguments():
    for n, q in ((1, 1), (3, 4), MD5_RINGS.bound):
        assert list(MD5_RINGS.all_values(n, q)) == [()]
        group = MD5_RINGS.group((CONSISTENT_HASH,), n, q, ())
        assert group.queues == one_broker(q)
        assert {consumer.strategy for consumer in group.consumers} == {CONSISTENT_HASH}
