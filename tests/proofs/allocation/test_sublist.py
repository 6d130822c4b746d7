"""Sublist, on results written by hand."""

import pytest

from rebalance_proofs.proofs.allocation.lists import SUBLIST
from tests.proofs.allocation.handmade import said


@pytest.mark.parametrize("listed", [[[0, 1], [2]], [[0, 2], [0, 1, 2]], [[], []]])
def test_results_in_the_order_of_mq_all_are_sublists(listed):
    assert said(SUBLIST, 3, listed) is None


@pytest.mark.parametrize(
    ("listed", "consumer"),
    [
        pytest.param([[0], [2, 1]], "c1", id="order"),
        pytest.param([[0, 0], [1]], "c0", id="twice"),
        pytest.param([[0], [1], [2, 3]], "c2", id="outside"),
        pytest.param([[1, 0], [2, 1]], "c0", id="the first of two"),
    ],
)
def test_consumer_whose_result_is_no_sublist_is_named(listed, consumer):
    assert said(SUBLIST, 3, listed) == f"The result of {consumer} is no sublist of its mqAll."
