"""Idle, on results written by hand."""

import pytest

from rebalance_proofs.proofs.allocation.idle import IDLE
from tests.proofs.allocation.handmade import said


@pytest.mark.parametrize(
    ("q", "listed"),
    [
        pytest.param(1, [[0], [], []], id="the surplus is idle"),
        pytest.param(1, [[], [0], []], id="counts only how many are idle"),
        pytest.param(2, [[0, 1], []], id="says nothing without a surplus"),
    ],
)
def test_surplus_consumers_may_be_idle(q, listed):
    assert said(IDLE, q, listed) is None


@pytest.mark.parametrize(
    ("q", "listed", "empty", "surplus"),
    [
        pytest.param(2, [[0, 1], [], []], 2, 1, id="one too many"),
        pytest.param(1, [[0], [0], []], 1, 2, id="one too few"),
        pytest.param(1, [[], []], 2, 1, id="all"),
    ],
)
def test_empty_results_are_counted(q, listed, empty, surplus):
    sentence = f"{empty} of {len(listed)} consumers have no queue, but c - q is {surplus}."
    assert said(IDLE, q, listed) == sentence
