"""Every guarantee: the formula for the solvers agrees with the test of concrete results."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from tests.proofs.allocation.handmade import can_be_violated, said, tabled

BY_NAME = {guarantee.name: guarantee for guarantee in GUARANTEES}
each_guarantee = pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.name)


def sublists(q):
    """Positions of mqAll in its order."""
    return st.sets(st.integers(0, q - 1)).map(sorted)


def inside(q):
    """Positions of mqAll in any order, or more than once."""
    return st.lists(st.integers(0, q - 1), max_size=4)


def any_lists(q):
    """Positions in any order, more than once, or outside mqAll."""
    return st.lists(st.integers(0, q), max_size=3)


@st.composite
def results(draw, shares):
    """A number of queues, and what one to four consumers get of them."""
    q = draw(st.integers(1, 4))
    return q, draw(st.lists(shares(q), min_size=1, max_size=4))


@each_guarantee
@settings(deadline=None, max_examples=40)
@given(results(sublists))
def test_formula_and_test_agree_on_sublists(guarantee, result):
    q, listed = result
    assert can_be_violated(guarantee, tabled(listed), len(listed), [q]) == (said(guarantee, q, listed) is not None)


@settings(deadline=None, max_examples=40)
@given(results(inside))
def test_contiguous_ignores_the_order_of_a_result(result):
    q, listed = result
    found = can_be_violated(BY_NAME["contiguous"], tabled(listed), len(listed), [q])
    assert found == (said(BY_NAME["contiguous"], q, listed) is not None)


@pytest.mark.parametrize("name", ["sublist", "balanced", "shares", "covers", "idle"])
@settings(deadline=None, max_examples=40)
@given(results(any_lists))
def test_formula_and_test_agree_on_any_lists(name, result):
    q, listed = result
    found = can_be_violated(BY_NAME[name], tabled(listed), len(listed), [q])
    assert found == (said(BY_NAME[name], q, listed) is not None)


@pytest.mark.parametrize(
    ("strategy", "mutant"),
    [
        pytest.param(strategy, mutant, id=f"{strategy.name}-{mutant.name}")
        for strategy in STRATEGIES
        for mutant in strategy.mutants
        if mutant.breaks in BY_NAME
    ],
)
def test_mutant_violates_its_guarantee_in_a_small_group(strategy, mutant):
    guarantee, small = BY_NAME[mutant.breaks], range(1, 9)
    assert any(can_be_violated(guarantee, mutant.encoding, n, small) for n in (1, 2, 3))
    assert not any(can_be_violated(guarantee, strategy.encoding, n, small) for n in (1, 2, 3))


def test_guarantee_names_are_unique():
    assert len(BY_NAME) == len(GUARANTEES)
