"""How far the enumeration goes."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.premises import AGREED, JOINS, PREMISES
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.bounds import LARGEST, QUICK, Bounds, thorough
from rebalance_proofs.spark_enum.space import Space
from tests.model.cases.every import CASES

PLAIN = (AGREED, JOINS, *PREMISES)
SIZED = {name: premise for name, (premise, _) in CASES.items()}
by_case = pytest.mark.parametrize("premise", SIZED.values(), ids=SIZED)
by_premise = pytest.mark.parametrize("premise", PREMISES, ids=lambda premise: premise.name)


@pytest.mark.parametrize("name", ["consumers", "queues"])
@pytest.mark.parametrize("value", [0, -1, LARGEST + 1])
def test_a_bound_out_of_range_is_refused_in_one_sentence(name: str, value: int) -> None:
    with pytest.raises(UsageError) as raised:
        Bounds(**{name: value})
    assert str(raised.value) == f"the bound on {name} has to be between 1 and {LARGEST}, not {value}"


@pytest.mark.parametrize("value", [1, LARGEST])
def test_the_limits_themselves_are_allowed(value: int) -> None:
    assert Bounds(value, value).swept(AGREED) == (value, value)


def test_the_default_is_the_premises_own() -> None:
    for premise in (*PLAIN, *SIZED.values()):
        assert Bounds().swept(premise) == premise.bound


@by_premise
def test_a_premise_is_not_swept_beyond_its_bound(premise) -> None:
    consumers, queues = premise.bound
    assert Bounds(LARGEST, LARGEST).swept(premise) == premise.bound
    assert Bounds(LARGEST, queues - 1).swept(premise) == (consumers, queues - 1)
    assert Bounds(1, LARGEST).swept(premise) == (1, queues)


def test_the_solver_is_asked_within_what_is_swept() -> None:
    bounds = Bounds(10, 30, at_size=(24, 20), at_size_without=(4, 3))
    assert bounds.asked(AGREED) == (10, 20)
    for premise in PREMISES:
        assert bounds.asked(premise) == (4, 3)
        assert replace(bounds, consumers=2, queues=2).asked(premise) == (2, 2)


@pytest.mark.parametrize("premise", PLAIN, ids=lambda premise: premise.name)
def test_thorough_asks_at_every_size_that_is_swept(premise) -> None:
    for bounds in (Bounds(), QUICK, Bounds(7, 9)):
        assert thorough(bounds).swept(premise) == bounds.swept(premise)
        assert thorough(bounds).asked(premise) == bounds.swept(premise)


@pytest.mark.parametrize("premise", PLAIN, ids=lambda premise: premise.name)
def test_quick_goes_less_far(premise) -> None:
    for part in ("swept", "asked"):
        quick, whole = getattr(QUICK, part)(premise), getattr(Bounds(), part)(premise)
        assert all(near <= far for near, far in zip(quick, whole, strict=True))
    assert QUICK.asked(premise) < Bounds().asked(premise)
    assert QUICK.swept(AGREED) < Bounds().swept(AGREED)


@by_case
def test_in_a_case_with_unknowns_for_each_queue_the_solver_is_not_asked(premise) -> None:
    for bounds in (Bounds(), QUICK, thorough(Bounds())):
        assert bounds.asked(premise) == (0, 0)


@by_case
@pytest.mark.parametrize("groups", [1, 20, 1_000, 20_000])
def test_a_space_is_brought_down_until_it_has_so_few_groups(premise, groups: int) -> None:
    consumers, queues = swept = Bounds(groups=groups).swept(premise)
    assert Space(premise, *swept).groups <= groups or swept == (1, 1)
    assert all(near <= far for near, far in zip(swept, premise.bound, strict=True))
    if swept != premise.bound:
        larger = (consumers + 1, queues), (consumers, queues + 1)
        assert any(Space(premise, *bound).groups > groups for bound in larger)


def test_of_two_equal_bounds_the_consumers_go_first() -> None:
    premise = SIZED["nearby+nearby-go-rooms-of-two-clients"]
    assert premise.bound == (3, 3)
    size = [Space(premise, *bound).groups for bound in ((3, 3), (2, 3), (2, 2), (1, 2))]
    assert size == sorted(size, reverse=True)
    found = [Bounds(groups=groups).swept(premise) for groups in (*size, size[1] - 1, size[2] - 1)]
    assert found == [(3, 3), (2, 3), (2, 2), (1, 2), (2, 2), (1, 2)]


@by_case
def test_bounds_of_the_user_hold_where_they_are_smaller(premise) -> None:
    assert Bounds(1, LARGEST).swept(premise) == (1, premise.bound[1])
    assert Bounds(LARGEST, 1).swept(premise) == (premise.bound[0], 1)
