"""Every guarantee about joins: the formula for the solvers agrees with the test of concrete results."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.movement.avg import BOUND, MOVED, SHIFT
from rebalance_proofs.proofs.movement.circle import APART, KEPT, RESHUFFLE
from rebalance_proofs.proofs.movement.claims import ATTAINED, GIVES
from rebalance_proofs.proofs.movement.monotone import MONOTONE, SHRINK
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from tests.proofs.movement.handmade import can_be_violated, said, tabled

OF_ANY_LISTS = (MONOTONE, SHRINK, KEPT, APART, RESHUFFLE)
OF_BLOCKS = (SHIFT, MOVED, BOUND, ATTAINED)

MUTANT_OF = {
    SHRINK: (AVERAGELY, "index-off-by-one"),
    SHIFT: (AVERAGELY, "mod-left-out"),
    MOVED: (AVERAGELY, "dropped-min"),
    BOUND: (AVERAGELY, "two-at-least"),
    ATTAINED: (AVERAGELY, "no-remainder"),
    KEPT: (AVERAGELY_BY_CIRCLE, "modulus-off-by-one"),
    APART: (AVERAGELY_BY_CIRCLE, "ge-for-eq"),
    RESHUFFLE: (AVERAGELY_BY_CIRCLE, "ge-for-eq"),
}
"""An encoding that is wrong for other reasons, and gives this guarantee no more."""


def parts(q, consumers, ascending):
    """Every position to one of the consumers; in blocks when the owners ascend."""
    owners = st.lists(st.integers(0, consumers - 1), min_size=q, max_size=q)
    return (owners.map(sorted) if ascending else owners).map(
        lambda chosen: [[p for p, owner in enumerate(chosen) if owner == i] for i in range(consumers)]
    )


@st.composite
def joins(draw, ascending):
    """A number of queues, what one to three consumers had of them, what they and a joiner have, and its place."""
    q, c = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    before, after = draw(parts(q, c, ascending)), draw(parts(q, c + 1, ascending))
    return q, before, after, draw(st.integers(0, c))


def agree(guarantee, join):
    q, before, after, joiner = join
    formula = can_be_violated(guarantee, tabled(before, after), len(after), q, joiner)
    assert formula == (said(guarantee, *join) is not None)


@pytest.mark.parametrize("guarantee", OF_ANY_LISTS, ids=lambda guarantee: guarantee.name)
@settings(max_examples=40)
@given(joins(ascending=False))
def test_movement_formula_and_test_agree_on_any_lists(guarantee, join):
    agree(guarantee, join)


@pytest.mark.parametrize("guarantee", OF_BLOCKS, ids=lambda guarantee: guarantee.name)
@settings(max_examples=40)
@given(joins(ascending=True))
def test_movement_formula_and_test_agree_on_blocks(guarantee, join):
    agree(guarantee, join)


@pytest.mark.parametrize(("strategy", "guarantees"), GIVES, ids=lambda part: getattr(part, "name", ""))
def test_movement_results_of_strategies_are_as_claimed(strategy, guarantees):
    """For every join of at most 7 consumers and 9 queues formula and results agree; only monotone is violated."""
    for checked in GroupCheck(JOINS, (strategy,), guarantees)(Space(JOINS, 7, 9)):
        assert checked.mismatch is None
        assert all(
            said is None
            for guarantee, said in zip(guarantees, checked.violations, strict=True)
            if guarantee is not MONOTONE
        )


@pytest.mark.parametrize("guarantee", MUTANT_OF, ids=lambda guarantee: guarantee.name)
def test_wrong_encoding_violates_the_movement_guarantee_in_a_small_group(guarantee):
    strategy, name = MUTANT_OF[guarantee]
    wrong = next(mutant.encoding for mutant in strategy.mutants if mutant.name == name)
    small = [(n, q, joiner) for n in (2, 3, 4) for q in range(1, 7) for joiner in range(n)]
    assert any(can_be_violated(guarantee, wrong, *join) for join in small)
    assert not any(can_be_violated(guarantee, strategy.encoding, *join) for join in small)


@pytest.mark.parametrize(
    ("guarantee", "q", "before", "after", "joiner", "sentence"),
    [
        pytest.param(MONOTONE, 2, [[0], [1]], [[0], [1], []], 0, "c1 gains queue 1 when c0 joins.", id="takes over"),
        pytest.param(
            SHRINK, 2, [[0, 1], []], [[0], [1], []], 2, "c1 has 1 queues, and had 0 before c2 joined.", id="grows"
        ),
        pytest.param(
            SHIFT,
            4,
            [[0], [1], [2, 3]],
            [[1], [0], [2], [3]],
            3,
            "queue 1 of c1 does not go to the neighbour on the joiner's side.",
            id="exchanged",
        ),
        pytest.param(
            SHIFT,
            3,
            [[0, 1], [2]],
            [[], [0, 1, 2], []],
            2,
            "c0 gives away 2 queues; c2, the joiner, gets 0.",
            id="too much",
        ),
        pytest.param(MOVED, 4, [[0, 1, 2, 3]], [[0, 1, 2], [3]], 1, "1 queues change hands, not 2.", id="too little"),
        pytest.param(
            BOUND, 3, [[0, 1], [2]], [[2], [], [0, 1]], 1, "3 queues change hands, more than 2.", id="in between"
        ),
        pytest.param(BOUND, 4, [[0, 1, 2, 3]], [[], [0, 1, 2, 3]], 1, "4 queues change hands, not 2.", id="at the end"),
        pytest.param(ATTAINED, 2, [[0, 1]], [[0, 1], []], 1, "0 of 2 queues change hands, not 1.", id="none moves"),
        pytest.param(KEPT, 2, [[0, 1]], [[0, 1], []], 1, "queue 1 stays, against the rule.", id="stays"),
        pytest.param(KEPT, 2, [[0, 1]], [[1], [0]], 1, "queue 0 changes hands, against the rule.", id="moves"),
        pytest.param(APART, 2, [[0, 1]], [[0, 1], []], 1, "c0 keeps queue 0 and queue 1.", id="keeps all"),
        pytest.param(RESHUFFLE, 2, [[0, 1]], [[], [0, 1]], 0, "queue 0 stays.", id="joiner gets nothing"),
    ],
)
def test_movement_violation_is_named(guarantee, q, before, after, joiner, sentence):
    assert said(guarantee, q, before, after, joiner) == sentence


@pytest.mark.parametrize("guarantee", [*OF_ANY_LISTS, *OF_BLOCKS], ids=lambda guarantee: guarantee.name)
def test_first_consumer_moves_nothing(guarantee):
    assert said(guarantee, 3, [], [[0, 1, 2]], 0) is None
    assert not can_be_violated(guarantee, AVERAGELY.encoding, 1, 3, 0)


def test_movement_guarantee_names_are_unique():
    names = {guarantee.name for _, guarantees in GIVES for guarantee in guarantees}
    assert len(names) == len(OF_ANY_LISTS) + len(OF_BLOCKS)
