"""CONSISTENT_HASH without each premise: results in every small ring."""

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.ring_views import (
    RING_JOINS,
    RING_OF_0,
    RING_ORDERS_APART,
    RINGS,
    RINGS_OF_1,
    RINGS_OF_3,
    RINGS_WITHOUT,
    RINGS_WITHOUT_GO,
)
from tests.model.premises.shares import shares

ONLY = (CONSISTENT_HASH,)
WITHOUT = {world.name: world for world in RINGS_WITHOUT}
AROUND = (0, 2, 2)
"""Node of c0, queue, node of c1."""
COLLIDING = (0, 1, 0)
"""Queue, both nodes."""


def every_group(world, n, q=1):
    return [world.group(ONLY, n, q, values) for values in world.all_values(n, q)]


def collides(group):
    """Two virtual nodes have one hash value."""
    hashes = [group.setting.hashes[key] for key, _ in group.setting.nodes]
    return len(set(hashes)) < len(hashes)


def takers(group):
    """How many consumers take each queue."""
    results = group.allocate()
    return [sum(queue in result for result in results) for queue in group.queues]


def test_every_single_strategy_assumption_is_dropped_once():
    assert [*WITHOUT] == [world.name for world in PREMISES if world.subjects == 1]
    assert all(world.dropped for world in RINGS_WITHOUT)


@pytest.mark.parametrize(
    ("world", "virtual_nodes"), [(RINGS, 2), (RINGS_OF_1, 1), (RINGS_OF_3, 3), (RING_OF_0, 0), (RING_JOINS, 2)]
)
def test_ring_world_has_its_number_of_virtual_nodes(world, virtual_nodes):
    assert not world.dropped
    values = next(world.all_values(2, 1))
    assert len(world.group(ONLY, 2, 1, values).setting.nodes) == 2 * virtual_nodes


def test_ring_without_virtual_nodes_assigns_nothing():
    assert {tuple(takers(group)) for group in every_group(RING_OF_0, 2, 2)} == {(0, 0)}


@pytest.mark.parametrize("world", [RINGS, RINGS_OF_1, RINGS_OF_3], ids=lambda world: world.name)
def test_ring_with_virtual_nodes_assigns_everything_once(world):
    assert {tuple(takers(group)) for group in every_group(world, 1, 2)} == {(1, 1)}


def test_id_orders_do_harm_only_with_a_collision():
    groups = every_group(WITHOUT["same-id-order"], 3)
    harmed = [group for group in groups if takers(group) != [1]]
    assert harmed
    assert all(map(collides, harmed))


@pytest.mark.parametrize("strategy", [CONSISTENT_HASH, CONSISTENT_HASH_GO], ids=lambda found: found.name)
def test_id_orders_do_no_harm_without_collisions(strategy):
    for values in RING_ORDERS_APART.all_values(3, 1):
        group = RING_ORDERS_APART.group((strategy,), 3, 1, values)
        assert not collides(group)
        assert takers(group) == [1]


def test_go_repeated_id_has_no_additional_nodes():
    (world,) = {*RINGS_WITHOUT_GO} - {*RINGS_WITHOUT}
    assert world.name == "distinct-ids"
    twins = [world.group((CONSISTENT_HASH_GO,), 3, 1, values) for values in world.all_values(3, 1) if values[0]]
    assert {group.setting.nodes[0] for group in twins} == {("0c0", "c0")}
    assert {len(group.setting.nodes) for group in twins} == {1, 2}


def test_opposite_id_orders_give_two_owners_or_none():
    world, second = WITHOUT["same-id-order"], 1
    assert shares(world, 2, 1, (second, 1, 0, *COLLIDING), ONLY) == [[0], [0]]
    assert shares(world, 2, 1, (second, 0, 1, *COLLIDING), ONLY) == [[], []]
    assert shares(world, 2, 1, (second, 0, 1, *AROUND), ONLY) == [[], [0]]


def test_partial_id_list_keeps_the_consumers_own_queues():
    assert {takers(group)[0] for group in every_group(WITHOUT["same-cid-all"], 2)} == {1, 2}


def test_members_with_the_same_id_take_the_same_queues():
    twins = [group for group in every_group(WITHOUT["distinct-ids"], 2) if len({*group.consumers}) == 1]
    assert twins
    assert {tuple(takers(group)) for group in twins} == {(2,)}
    assert {[key for key, _ in group.setting.nodes][1] for group in twins} == {"c0-1"}


def test_queue_order_changes_nothing():
    for group in every_group(WITHOUT["same-order"], 2, 2):
        assert takers(group) == [1, 1]


def test_queue_unseen_by_its_owner_has_no_reader():
    for group in every_group(WITHOUT["same-mq-all"], 2, 2):
        assert max(takers(group)) <= 1
    assert shares(WITHOUT["same-mq-all"], 2, 2, (0, 2, 0, 1, 0, 0, 0, 0), ONLY) == [[], [1]]


def test_queue_of_an_old_id_has_no_reader():
    world = WITHOUT["own-id-listed"]
    assert shares(world, 2, 1, (0, 1, *AROUND), ONLY) == [[], []]
    assert shares(world, 2, 1, (1, 0, *AROUND), ONLY) == [[], [0]]


def test_joiner_only_takes_queues():
    moved = 0
    for group in every_group(RING_JOINS, 2):
        after, before = takers(group), takers(group.reference)
        assert (after, before) == ([1], [1])
        (stays,) = group.reference.consumers
        place = [consumer.client_id for consumer in group.consumers].index(stays.client_id)
        moved += not group.allocate()[place]
    assert moved
