"""Balanced, and in exact shares, on results written by hand."""

import pytest

from rebalance_proofs.proofs.allocation.amounts import BALANCED, SHARES
from tests.proofs.allocation.handmade import said


@pytest.mark.parametrize(("q", "listed"), [(3, [[0, 1], [2]]), (4, [[0, 2], [1, 3]]), (1, [[0], []]), (2, [[1], [1]])])
def test_exact_shares_are_balanced(q, listed):
    assert said(SHARES, q, listed) is said(BALANCED, q, listed) is None


@pytest.mark.parametrize(
    ("q", "listed", "sentence"),
    [
        pytest.param(4, [[0], [1, 2, 3]], "c1 has 3 queues, c0 has 1.", id="differ by two"),
        pytest.param(2, [[0, 1], [], []], "c0 has 2 queues, c1 has 0.", id="the first of the least is named"),
    ],
)
def test_consumer_with_too_many_queues_is_named(q, listed, sentence):
    assert said(BALANCED, q, listed) == sentence
    assert said(SHARES, q, listed)


@pytest.mark.parametrize(
    ("q", "listed", "sentence"),
    [
        pytest.param(3, [[0], [1, 2]], "c0 has 1 queues; its share is 2.", id="the remainder goes to the last"),
        pytest.param(4, [[0, 1], [2]], "c1 has 1 queues; its share is 2.", id="too few in all"),
        pytest.param(2, [[0], [1], [1]], "c2 has 1 queues; its share is 0.", id="too many in all"),
    ],
)
def test_balanced_sizes_need_not_be_the_exact_shares(q, listed, sentence):
    assert said(BALANCED, q, listed) is None
    assert said(SHARES, q, listed) == sentence
