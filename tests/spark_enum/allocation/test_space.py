"""Numbers and groups: each number is the group's index in the enumeration, or no group's."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space
from rebalance_proofs.spark_enum.allocation.sweep import Places

ALL = (AGREED, *PREMISES)
EVERY = tuple({id(check.world): check.world for check in checks(LEDGER)}.values())
"""The worlds of all claims."""
LARGEST = 3
"""Small enough to enumerate: same-mq-all has 3**q * 2**n digit strings."""

by_premise = pytest.mark.parametrize("world", ALL, ids=lambda world: world.name)
by_world = pytest.mark.parametrize("world", EVERY, ids=lambda world: world.name)
bounds = st.integers(1, LARGEST)


def sizes(max_consumers: int, max_queues: int) -> list[tuple[int, int]]:
    return [(n, q) for n in range(1, max_consumers + 1) for q in range(1, max_queues + 1)]


def few(world: Groups, groups: int = 3_000) -> list[tuple[int, int]]:
    """The sizes within the world's bound at which there are so few groups."""
    return [size for size in sizes(*world.bound) if world.groups(*size) <= groups]


@by_premise
@given(max_consumers=bounds, max_queues=bounds)
def test_numbers_decode_to_all_groups_in_order(world: Groups, max_consumers: int, max_queues: int) -> None:
    space = Space(world, max_consumers, max_queues)
    expected = [
        Configuration(n, q, values) for n, q in sizes(max_consumers, max_queues) for values in world.all_values(n, q)
    ]
    decoded = [space.decode(number) for number in range(space.groups)]
    assert decoded == list(space) == expected
    assert sorted({(found.consumers, found.queues) for found in expected} | set(space.sizes)) == list(space.sizes)


@by_world
def test_digits_of_all_numbers_are_those_that_name_a_group(world: Groups) -> None:
    assert few(world)
    for n, q in few(world):
        assert [world.values(n, q, number) for number in range(world.groups(n, q))] == list(world.all_values(n, q))


@by_world
@given(st.data())
def test_digits_ascend_with_the_numbers_in_the_largest_groups(world: Groups, data) -> None:
    n, q = world.bound
    last = world.groups(n, q) - 1
    number = data.draw(st.integers(0, max(last - 1, 0)))
    one, next_ = (world.values(n, q, min(number + more, last)) for more in (0, 1))
    assert one < next_ or last == 0
    for values in (one, next_):
        assert world.admits(n, q, values)
        assert all(digit < radix for digit, radix in zip(values, world.radices(n, q), strict=True))


@by_premise
def test_sum_of_consumers_and_queues_can_be_bounded(world: Groups) -> None:
    whole, part = Space(world, 3, 3), Space(world, 3, 3, together=4)
    assert part.sizes == ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1))
    assert list(part) == [found for found in whole if found.consumers + found.queues <= 4]
    assert whole.bounds == {"queues": 3, "consumers": 3}
    assert part.bounds == whole.bounds | {"together": 4}


def right(world: Groups, found: list[Configuration]) -> list[bool]:
    """Whether each is at its place among these."""
    around = [None, *found, None]
    return list(map(Places(world).right, around, around[1:], around[2:]))


@by_premise
def test_every_group_is_at_its_number(world: Groups) -> None:
    assert all(right(world, list(Space(world, LARGEST, LARGEST))))


@by_premise
def test_missing_repeated_or_exchanged_group_is_detected(world: Groups) -> None:
    found = list(Space(world, 2, 2))
    largest = [place for place, (one, next_) in enumerate(pairwise(found)) if _size(one) != _size(next_)]
    for place in (*largest, len(found) - 1):
        if place and _size(found[place - 1]) == _size(found[place]):
            assert not all(right(world, found[:place] + found[place + 1 :])), "the last of a size"
    for place in range(len(found) - 1):
        one, next_ = found[place], found[place + 1]
        assert not all(right(world, [*found[:place], one, *found[place:]])), "twice"
        assert not all(right(world, [*found[:place], next_, one, *found[place + 2 :]])), "exchanged"


@by_premise
def test_digits_that_name_no_group_are_detected(world: Groups) -> None:
    radices = world.radices(2, 2)
    for values in ((*radices,), (*(-1 for _ in radices),), (0,) * (len(radices) + 1)):
        if values:
            assert right(world, [Configuration(2, 2, values)]) == [False]


def _size(group: Configuration) -> tuple[int, int]:
    return group.consumers, group.queues


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
def test_closed_form_at_the_default_bound(name: str, max_consumers: int, max_queues: int, groups: int) -> None:
    world = next(world for world in ALL if world.name == name)
    assert world.bound == (max_consumers, max_queues)
    assert Space(world, max_consumers, max_queues).groups == groups


@by_premise
def test_number_after_the_last_group_is_an_index_error(world: Groups) -> None:
    space = Space(world, 2, 2)
    with pytest.raises(IndexError):
        space.decode(space.groups)
