"""Disjoint, on results written by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.ids import DISTINCT_IDS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.search import violated
from tests.proofs.allocation.handmade import said


@pytest.mark.parametrize("listed", [[[0, 1], [2]], [[0, 2], [1]], [[0], []], [[], []], [[0, 1, 2]]])
def test_results_without_shared_queues_are_disjoint(listed):
    assert said(DISJOINT, 3, listed) is None


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ([[0, 1], [1, 2]], "queue 1 is consumed by both c0 and c1."),
        ([[0], [1], [2, 1]], "queue 1 is consumed by both c1 and c2."),
        ([[0, 1, 2], [2, 1]], "queue 2 is consumed by both c0 and c1."),
    ],
)
def test_first_shared_queue_and_its_consumers_are_named(listed, sentence):
    assert said(DISJOINT, 3, listed) == sentence


def test_processes_with_one_id_are_distinguished():
    group = DISTINCT_IDS.group((AVERAGELY,), 2, 4, (1,))
    assert violated(DISJOINT, group) == "queue 0 is consumed by both c0 (process 0) and c0 (process 1)."
