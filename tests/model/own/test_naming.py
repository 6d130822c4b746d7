"""Names for groups: distinct, and sorted as clients sort them."""

from functools import cmp_to_key

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.own.names import NAMINGS, PLAIN
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.queues import by_value, compare_queues, utf16_units
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.restarts import RESTARTS
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.spark_enum.bounds import LARGEST

WORLDS = (AGREED, *PREMISES, JOINS, TWO_JOINS, RESTARTS, GROWS)


@pytest.mark.parametrize("naming", NAMINGS[1:], ids=lambda one: one.name)
def test_ids_are_distinct_and_sorted_by_number(naming):
    ids = [naming.client_id(number) for number in range(LARGEST + 1)]
    assert ids == sorted(set(ids), key=utf16_units)


@pytest.mark.parametrize("naming", NAMINGS, ids=lambda one: one.name)
def test_queues_are_distinct_and_sorted_like_java(naming):
    for count in (*range(1, 20), 64, LARGEST):
        queues = naming.queues(count)
        assert len(set(queues)) == count
        order = cmp_to_key(lambda one, other: compare_queues(one, other, utf16_units, by_value))
        assert list(queues) == sorted(queues, key=order)


@pytest.mark.parametrize("naming", NAMINGS, ids=lambda one: one.name)
@pytest.mark.parametrize("world", WORLDS, ids=lambda one: one.name)
def test_renamed_group_has_the_same_positions(world, naming):
    """AVG gives the same positions, which it would not if a name were at another position in any stage."""
    n, q = 3, 4
    for values, _ in zip(world.all_values(n, q), range(40), strict=False):
        group = world.group((AVERAGELY, AVERAGELY), n, q, values)
        other = naming.named(group)
        while group:
            places = [[group.queues.index(queue) for queue in taken] for taken in group.results()]
            assert places == [[other.queues.index(queue) for queue in taken] for taken in other.results()]
            assert (naming is PLAIN) == (other.queues == group.queues and naming is PLAIN)
            group, other = group.reference, other.reference
        assert other is None
