"""Contiguous, on results written by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from rebalance_proofs.proofs.allocation.lists import CONTIGUOUS
from tests.proofs.allocation.handmade import said


@pytest.mark.parametrize("listed", [[[0, 1], [2, 3]], [[1, 2, 3], [0]], [[], [2]], [[0, 1, 2, 3]], [[2, 1]]])
def test_adjacent_queues_are_contiguous(listed):
    assert said(CONTIGUOUS, 4, listed) is None


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ([[0, 2], [1, 3]], "c0 has positions 0 and 2, but nothing between them."),
        ([[1], [0, 3]], "c1 has positions 0 and 3, but nothing between them."),
        ([[0, 1, 3], [2]], "c0 has positions 1 and 3, but nothing between them."),
    ],
)
def test_gap_in_a_result_is_named(listed, sentence):
    assert said(CONTIGUOUS, 4, listed) == sentence


def test_adjacency_follows_the_consumers_own_order():
    last_first = 5
    group = SAME_ORDER.group((AVERAGELY,), 1, 3, (last_first, 1))
    first, _, last = group.queues
    assert CONTIGUOUS.violation(group, [[last, first]]) == "c0 has positions 0 and 2, but nothing between them."
