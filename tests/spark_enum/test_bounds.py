"""Bounds of the enumeration."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.bounds import LARGEST, QUICK, Bounds, thorough
from tests.each import each
from tests.model.worlds.every import CASES

PLAIN = (AGREED, JOINS, *PREMISES)
SIZED = {name: world for name, (world, _) in CASES.items()}
by_case = each("world", SIZED.values(), ids=SIZED)
by_premise = each("world", PREMISES, ids=lambda world: world.name)


@pytest.mark.parametrize("name", ["consumers", "queues"])
@pytest.mark.parametrize("value", [0, -1, LARGEST + 1])
def test_bound_out_of_range_is_refused_in_one_sentence(name: str, value: int) -> None:
    with pytest.raises(UsageError) as raised:
        Bounds(**{name: value})
    assert str(raised.value) == f"--{name} {value} is out of range; give a number from 1 to {LARGEST}"


@pytest.mark.parametrize("value", [1, LARGEST])
def test_limits_are_accepted(value: int) -> None:
    assert Bounds(value, value).swept(AGREED) == (value, value)


def test_default_bound_is_the_worlds_own() -> None:
    for world in (*PLAIN, *SIZED.values()):
        assert thorough(Bounds()).swept(world) == world.bound
        assert thorough(Bounds()).together(world) is None
        if world.usual is None:
            assert Bounds().swept(world) == world.bound
            assert Bounds().together(world) is None
        else:
            assert (*Bounds().swept(world), Bounds().together(world)) == world.usual
            assert Bounds().space(world).groups < thorough(Bounds()).space(world).groups


def test_some_worlds_are_completely_swept_only_with_thorough() -> None:
    far = {name for name, world in SIZED.items() if world.usual}
    assert far == {
        "hash-three-virtual-nodes",
        "nearby-rooms",
        "nearby-hash-rooms",
        "room-kinds",
    }
    for name in far:
        assert Bounds().space(SIZED[name]).bounds == thorough(Bounds()).space(SIZED[name]).bounds | {
            "queues": SIZED[name].usual[1],
            "together": SIZED[name].usual[2],
        }


@by_premise
def test_world_is_not_swept_beyond_its_bound(world) -> None:
    consumers, queues = world.bound
    assert Bounds(LARGEST, LARGEST).swept(world) == world.bound
    assert Bounds(LARGEST, queues - 1).swept(world) == (consumers, queues - 1)
    assert Bounds(1, LARGEST).swept(world) == (1, queues)


def test_solver_is_used_within_the_swept_sizes() -> None:
    bounds = Bounds(10, 30, at_size=(24, 20), at_size_without=(4, 3))
    assert bounds.asked(AGREED) == (10, 20)
    for world in PREMISES:
        assert bounds.asked(world) == (4, 3)
        assert replace(bounds, consumers=2, queues=2).asked(world) == (2, 2)


@each("world", PLAIN, ids=lambda world: world.name)
def test_thorough_uses_the_solver_at_every_swept_size(world) -> None:
    for bounds in (Bounds(), QUICK, Bounds(7, 9)):
        assert thorough(bounds).swept(world) == replace(bounds, far=True).swept(world)
        assert thorough(bounds).asked(world) == bounds.swept(world)


@each("world", PLAIN, ids=lambda world: world.name)
def test_quick_bounds_are_smaller(world) -> None:
    for part in ("swept", "asked"):
        quick, whole = getattr(QUICK, part)(world), getattr(Bounds(), part)(world)
        assert all(near <= far for near, far in zip(quick, whole, strict=True))
    assert QUICK.asked(world) < Bounds().asked(world)
    assert QUICK.swept(AGREED) < Bounds().swept(AGREED)


@by_case
def test_solver_is_not_used_in_worlds_with_variables_per_queue(world) -> None:
    for bounds in (Bounds(), QUICK, thorough(Bounds())):
        assert bounds.asked(world) == (0, 0)


@by_case
@each("groups", [1, 20, 1_000, 20_000])
@pytest.mark.parametrize("far", [False, True])
def test_bounds_are_reduced_to_the_number_of_groups(world, groups: int, far: bool) -> None:
    bounds = Bounds(groups=groups, far=far)
    consumers, queues = swept = bounds.swept(world)
    assert bounds.space(world).groups <= groups or swept == (1, 1)
    most = Bounds(far=far).swept(world)
    assert all(near <= far for near, far in zip(swept, most, strict=True))
    if swept != most:
        larger = (consumers + 1, queues), (consumers, queues + 1)
        assert any(Space(world, *bound, bounds.together(world)).groups > groups for bound in larger)


def test_consumers_are_reduced_first_of_two_equal_bounds() -> None:
    world = SIZED["nearby+nearby-go-rooms-of-two-clients"]
    assert world.bound == (3, 3)
    size = [Space(world, *bound).groups for bound in ((3, 3), (2, 3), (2, 2), (1, 2))]
    assert size == sorted(size, reverse=True)
    found = [Bounds(groups=groups).swept(world) for groups in (*size, size[1] - 1, size[2] - 1)]
    assert found == [(3, 3), (2, 3), (2, 2), (1, 2), (2, 2), (1, 2)]


@by_case
def test_smaller_user_bounds_apply(world) -> None:
    consumers, queues = Bounds().swept(world)
    assert Bounds(1, LARGEST).swept(world) == (1, queues)
    assert Bounds(LARGEST, 1).swept(world) == (consumers, 1)
