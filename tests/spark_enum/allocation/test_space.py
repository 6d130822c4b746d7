"""Numbers and groups: each number stands for the group at its place in the enumeration, or for none."""

from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space

ALL = (AGREED, *PREMISES)
LARGEST = 3
"""Small enough to enumerate: same-mq-all has 3**q * 2**n digit strings."""

by_premise = pytest.mark.parametrize("world", ALL, ids=lambda world: world.name)
bounds = st.integers(1, LARGEST)


def sizes(max_consumers: int, max_queues: int) -> list[tuple[int, int]]:
    return [(n, q) for n in range(1, max_consumers + 1) for q in range(1, max_queues + 1)]


def encode(space: Space, found: Configuration) -> int:
    """The number of a group, the long way: the digit strings of smaller sizes, then its own digits."""
    size = (found.consumers, found.queues)
    smaller = sizes(space.max_consumers, space.max_queues)
    code = 0
    for value, radix in zip(found.values, space.world.radices(*size), strict=True):
        assert 0 <= value < radix
        code = code * radix + value
    return code + sum(prod(space.world.radices(*other)) for other in smaller[: smaller.index(size)])


@by_premise
@given(max_consumers=bounds, max_queues=bounds)
def test_the_groups_of_all_codes_are_all_values_in_order(world: Groups, max_consumers: int, max_queues: int) -> None:
    space = Space(world, max_consumers, max_queues)
    expected = [
        Configuration(n, q, values) for n, q in sizes(max_consumers, max_queues) for values in world.all_values(n, q)
    ]
    decoded = [space.decode(code) for code in range(space.codes)]
    assert [found for found in decoded if found] == list(space) == expected
    assert len(expected) == space.groups
    assert sorted({(found.consumers, found.queues) for found in expected} | set(space.sizes)) == list(space.sizes)


@by_premise
@given(st.data())
def test_a_group_is_named_by_its_code_alone(world: Groups, data) -> None:
    space = Space(world, *world.bound)
    code = data.draw(st.integers(0, space.codes - 1))
    found = space.decode(code)
    assume(found is not None)
    assert encode(space, found) == code


@by_premise
def test_every_block_begins_and_ends_where_it_should(world: Groups) -> None:
    space = Space(world, LARGEST, LARGEST)
    begin = 0
    for n, q in space.sizes:
        radices = world.radices(n, q)
        end = begin + prod(radices)
        first, last = space.decode(begin), space.decode(end - 1)
        for found, digits in ((first, [0] * len(radices)), (last, [radix - 1 for radix in radices])):
            expected = Configuration(n, q, tuple(digits)) if world.admits(n, q, tuple(digits)) else None
            assert found == expected
        begin = end
    assert begin == space.codes


@pytest.mark.parametrize(
    ("name", "max_consumers", "max_queues", "groups"),
    [
        ("agreed", 64, 64, 64 * 64),
        ("distinct-ids", 5, 8, 8 * (1 + 2 + 4 + 8 + 16)),
        ("same-cid-all", 5, 8, 8 * (5 * 2 + 10 * 14 + 10 * 62 + 5 * 254 + 1 * 1022)),
        ("same-mq-all", 4, 5, (1 + 7 + 25 + 79 + 241) * (0 + 2 + 6 + 14)),
        ("same-order", 4, 5, (1 + 2 + 6 + 24 + 120) * (2 + 4 + 8 + 16)),
        ("same-strategy", 5, 8, 8 * (2 + 4 + 8 + 16 + 32)),
        ("own-id-listed", 5, 8, 8 * (2 + 4 + 8 + 16 + 32)),
    ],
)
def test_the_closed_form_at_the_default_bound(name: str, max_consumers: int, max_queues: int, groups: int) -> None:
    world = next(world for world in ALL if world.name == name)
    assert world.bound == (max_consumers, max_queues)
    assert Space(world, max_consumers, max_queues).groups == groups


@by_premise
def test_there_is_nothing_behind_the_last_code(world: Groups) -> None:
    space = Space(world, 2, 2)
    with pytest.raises(IndexError):
        space.decode(space.codes)
