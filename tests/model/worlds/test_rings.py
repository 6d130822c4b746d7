"""Groups on a ring: hash values follow the weak order, and no other property of them matters."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.premises.ids import OWN_ID_LISTED
from rebalance_proofs.model.worlds.ring_views import RING_JOINS, RINGS, RINGS_OF_1, RINGS_OF_3, RINGS_WITHOUT
from rebalance_proofs.model.worlds.rings import hash_names, listed_ids, replicas
from tests.model.premises.shares import shares
from tests.model.premises.symbolic import Symbolic, takers

ONLY = (CONSISTENT_HASH,)
WITHOUT = {world.name: world for world in RINGS_WITHOUT}
HASHES = st.integers(0, 5) | st.integers(-(2**62), 2**62)
symbolic = cache(Symbolic)


def test_hash_values_are_the_ranks_of_the_weak_order():
    group = RINGS.group(ONLY, 2, 1, (0, 2, 1, 0, 6))
    ring = group.setting
    assert ring.virtual_nodes == 2
    assert ring.nodes == (("c0-0", "c0"), ("c0-1", "c0"), ("c1-0", "c1"), ("c1-1", "c1"))
    assert [ring.hashes[key] for key, _ in ring.nodes] == [1, 2, 1, 0]
    assert [ring.hashes[key] for key in ring.queues] == [3]


def test_all_consumers_use_one_ring():
    group = RING_JOINS.group(ONLY, 3, 1, (1, *[0] * 7))
    everybody = [*group.consumers, *group.reference.consumers]
    assert len({id(consumer.strategy) for consumer in everybody}) == 1
    assert group.reference.setting is group.setting
    assert everybody[0].strategy.configure is CONSISTENT_HASH.configure


@pytest.mark.parametrize(
    ("digits", "notes"),
    [
        pytest.param(
            (0, 2, 4),
            "Hash values, ascending around the ring: virtual node c0-0, virtual node c1-0, queue 0.",
            id="ascending",
        ),
        pytest.param(
            (0, 1, 1),
            "Hash values, ascending around the ring: virtual node c0-0 = virtual node c1-0 = queue 0.",
            id="all collide",
        ),
        pytest.param(
            (0, 0, 3),
            "Hash values, ascending around the ring: virtual node c1-0, virtual node c0-0 = queue 0.",
            id="at a node",
        ),
    ],
)
def test_notes_list_the_ring(digits, notes):
    assert RINGS_OF_1.group(ONLY, 2, 1, digits).setting.notes == (notes,)


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        pytest.param((0, 2, 0), [[0], []], id="in front of all"),
        pytest.param((0, 2, 1), [[0], []], id="at the first"),
        pytest.param((0, 2, 2), [[], [0]], id="between"),
        pytest.param((0, 2, 4), [[0], []], id="behind all"),
        pytest.param((0, 1, 2), [[], [0]], id="both nodes collide: the later id has the place"),
        pytest.param((0, 0, 0), [[], [0]], id="the second stands first"),
    ],
)
def test_queue_goes_to_the_next_node(digits, expected):
    assert shares(RINGS_OF_1, 2, 1, digits, ONLY) == expected


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["a", "b"], [("a", 0), ("b", 0)]),
        (["a", "a", "b"], [("a", 0), ("a", 3), ("b", 0)]),
        (["a", "a", "a"], [("a", 0), ("a", 3), ("a", 6)]),
    ],
)
def test_repeated_id_continues_its_replicas(ids, expected):
    assert replicas(ids, 3) == expected


@pytest.mark.parametrize(("values", "ids"), [((0, 0), ["c0", "c1"]), ((1, 0), ["c0-old", "c1"])])
def test_nodes_belong_to_the_listed_ids(values, ids):
    assert listed_ids(OWN_ID_LISTED.group(ONLY, 2, 1, values)) == ids


def owner(hashes, n, v, queue):
    """The place of the consumer whose node is met first, by going through all nodes."""
    nodes = [((hash_ < queue, hash_, -(number // v)), number // v) for number, hash_ in enumerate(hashes[: n * v])]
    return min(nodes)[1]


@pytest.mark.parametrize(
    ("world", "v"), [(RINGS, 2), (RINGS_OF_1, 1), (RINGS_OF_3, 3)], ids=lambda given: getattr(given, "name", given)
)
@given(data=st.data())
def test_any_hash_values_give_a_group_with_the_same_owners(world, v, data):
    n, q = (data.draw(st.integers(1, most)) for most in world.bound)
    names = hash_names(n, q, v)
    hashes = data.draw(st.lists(HASHES, min_size=len(names), max_size=len(names)))
    found, values = world.configuration(n, {"p": 0} | dict(zip(names, hashes, strict=True)))
    assert found == q
    assert world.admits(n, q, values)
    expected = [[int(place == owner(hashes, n, v, queue)) for place in range(n)] for queue in hashes[n * v :]]
    assert takers(world, ONLY, n, q, values) == expected
    assignments = [{"p": queue} | dict(zip(names, hashes, strict=True)) for queue in range(q)]
    assert symbolic(world, ONLY, n, q)(assignments) == [[1, q, *row] for row in expected]


@pytest.mark.parametrize("world", [RING_JOINS, *RINGS_WITHOUT], ids=lambda world: world.name)
@given(data=st.data())
def test_only_the_order_of_hash_values_matters(world, data):
    """For any lists: other hash values in the same order give the same group."""
    n, q = data.draw(st.sampled_from([(2, 1), (1, 1)]) if world.groups(1, 1) else st.just((2, 1)))
    values = data.draw(st.sampled_from(list(world.all_values(n, q))))
    assignment = dict(world.assignment(n, q, values, 0))
    spread = sorted(data.draw(st.sets(HASHES, min_size=10, max_size=10)))
    moved = {name: value if _is_digit(name) else spread[value] for name, value in assignment.items()}
    assert world.configuration(n, moved) == (q, values)
    assert symbolic(world, ONLY, n, q)([moved]) == symbolic(world, ONLY, n, q)([assignment])


def _is_digit(name):
    return name == "p" or name.startswith("digit")


def test_digit_out_of_range_is_excluded():
    world = WITHOUT["own-id-listed"]
    assignment = dict(world.assignment(1, 1, (0, 0, 0), 0))
    assert [row[0] for row in symbolic(world, ONLY, 1, 1)([assignment, assignment | {"digit0": 2}])] == [1, 0]
