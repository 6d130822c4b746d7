"""Every guarantee about growth: the formula for the solvers agrees with the test of concrete results."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.proofs.growth.appended import APPENDED, PREPENDED, begins, most
from rebalance_proofs.proofs.growth.claims import GIVES, SIDES
from rebalance_proofs.proofs.growth.grown import STEADY, TURNED
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from tests.proofs.growth.handmade import can_be_violated, said, tabled

OF_ANY_LISTS = (STEADY, SIDES, TURNED)

MUTANT_OF = {
    SIDES: (AVERAGELY, "mirrored"),
    APPENDED: (AVERAGELY, "remainder-to-last"),
    PREPENDED: (AVERAGELY, "remainder-to-last"),
    TURNED: (AVERAGELY_BY_CIRCLE, "in-pairs"),
}
"""An encoding that is wrong for other reasons, and gives this guarantee no more."""


def parts(q, consumers, ascending):
    """Every position to one of the consumers; in blocks when the owners ascend."""
    owners = st.lists(st.integers(0, consumers - 1), min_size=q, max_size=q)
    return (owners.map(sorted) if ascending else owners).map(
        lambda chosen: [[p for p, owner in enumerate(chosen) if owner == i] for i in range(consumers)]
    )


@st.composite
def growths(draw, ascending):
    """A number of queues, what one to three consumers had and have of them, and which are new."""
    q, c = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    new = draw(st.integers(1, q - 1))
    first = draw(st.integers(0, q - new))
    return q, draw(parts(q - new, c, ascending)), draw(parts(q, c, ascending)), first, new


def agree(guarantee, growth):
    q, before, after, first, new = growth
    formula = can_be_violated(guarantee, tabled(before, after, q), len(after), q, first, new)
    assert formula == (said(guarantee, *growth) is not None)


@pytest.mark.parametrize("guarantee", OF_ANY_LISTS, ids=lambda guarantee: guarantee.name)
@settings(max_examples=40)
@given(growths(ascending=False))
def test_growth_formula_and_test_agree_on_any_lists(guarantee, growth):
    agree(guarantee, growth)


@pytest.mark.parametrize("guarantee", [APPENDED, PREPENDED], ids=lambda guarantee: guarantee.name)
@settings(max_examples=60)
@given(growths(ascending=True))
def test_growth_formula_and_test_agree_on_blocks(guarantee, growth):
    agree(guarantee, growth)


@pytest.mark.parametrize(("strategy", "guarantees"), GIVES, ids=lambda part: getattr(part, "name", ""))
def test_growth_results_of_strategies_are_as_claimed(strategy, guarantees):
    """For every growth to at most 9 queues of 6 consumers formula and results agree; only steady is violated."""
    for checked in GroupCheck(GROWS, (strategy,), guarantees)(Space(GROWS, 6, 9)):
        assert checked.mismatch is None
        assert all(
            found is None
            for guarantee, found in zip(guarantees, checked.violations, strict=True)
            if guarantee is not STEADY
        )


@pytest.mark.parametrize("guarantee", MUTANT_OF, ids=lambda guarantee: guarantee.name)
def test_wrong_encoding_violates_the_growth_guarantee_in_a_small_group(guarantee):
    strategy, name = MUTANT_OF[guarantee]
    wrong = next(mutant.encoding for mutant in strategy.mutants if mutant.name == name)
    small = [
        (n, q, first, new) for n in (2, 3) for q in range(2, 6) for new in range(1, q) for first in range(q - new + 1)
    ]
    assert any(can_be_violated(guarantee, wrong, *growth) for growth in small)
    assert not any(can_be_violated(guarantee, strategy.encoding, *growth) for growth in small)


@pytest.mark.parametrize(
    ("guarantee", "q", "before", "after", "first", "new", "sentence"),
    [
        pytest.param(STEADY, 2, [[0], []], [[0], [1]], 1, 1, None, id="stays"),
        pytest.param(STEADY, 2, [[0], []], [[1], [0]], 1, 1, "queue 0 goes from c0 to c1.", id="goes"),
        pytest.param(STEADY, 2, [[0], []], [[], [1]], 1, 1, "queue 0 goes from c0 to nobody.", id="lost"),
        pytest.param(SIDES, 2, [[0], []], [[1], [0]], 1, 1, "queue 0 goes from c0 to c1.", id="up in front"),
        pytest.param(SIDES, 2, [[], [0]], [[1], [0]], 0, 1, "queue 1 goes from c1 to c0.", id="down behind"),
        pytest.param(TURNED, 2, [[0], []], [[0, 1], []], 0, 1, "queue 1 is not with c1.", id="stays behind"),
        pytest.param(TURNED, 2, [[0], []], [[1], [0]], 1, 1, "queue 0 is not with c0.", id="goes in front"),
        pytest.param(APPENDED, 3, [[0], [1]], [[0], [1, 2]], 2, 1, "0 queues change hands, not exactly 1.", id="few"),
        pytest.param(
            APPENDED, 4, [[0, 1], [2]], [[2], [0, 1, 3]], 3, 1, "3 queues change hands, not exactly 0.", id="many"
        ),
        pytest.param(
            APPENDED, 3, [[], [0]], [[0, 1, 2], []], 1, 2, "1 queues change hands, not fewer than 1.", id="beyond"
        ),
        pytest.param(
            PREPENDED,
            3,
            [[0], [1]],
            [[0], [1, 2]],
            0,
            1,
            "1 queues change hands, not at most 0.",
            id="too many in front",
        ),
        pytest.param(
            PREPENDED, 4, [[0, 1], [2]], [[0, 1, 2], [3]], 0, 1, "0 queues change hands, not exactly 1.", id="too few"
        ),
    ],
)
def test_growth_violation_is_named(guarantee, q, before, after, first, new, sentence):
    assert said(guarantee, q, before, after, first, new) == sentence


def test_queues_that_are_not_appended_do_not_count():
    assert said(APPENDED, 3, [[0], [1]], [[1, 2], [0]], 0, 1) is None


def test_closed_form_of_growth_equals_the_sum():
    """The doubled sum of the blocks' first positions, and its consequence for one more queue."""
    for q in range(1, 30):
        for c in range(1, 9):
            m = q % c
            assert 2 * begins(q, c) == (c - 1) * q + m * (c - m)
            assert most(q, c, 1) == c - 1 - m


def moved(queues, consumers, new, first):
    """How many old queues change hands by the client's code, when new ones are added at that position."""
    group = GROWS.group((AVERAGELY,), consumers, queues + new, (first, new - 1))
    return changed_hands(group, group.allocate())


def test_growth_bounds_are_attained_beyond_enumerated_sizes():
    for c, q, new in product(range(1, 8), range(1, 26, 3), range(1, 16, 2)):
        bound, few = most(q, c, new), new * (c - 1) <= q
        behind, front = moved(q, c, new, q), moved(q, c, new, 0)
        assert behind == bound if few else behind < bound
        assert front <= new * (c - 1) - bound
        assert front == new * (c - 1) - bound or not few


def test_bound_in_front_can_be_attained_by_many_queues():
    """So that it is not said to need few queues."""
    q, c, new = 39, 8, 6
    assert new * (c - 1) > q
    assert moved(q, c, new, 0) == new * (c - 1) - most(q, c, new) == 17
