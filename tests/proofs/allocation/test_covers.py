"""Covers, on results written by hand."""

import pytest

from rebalance_proofs.proofs.allocation.covers import COVERS
from tests.proofs.allocation.handmade import said


@pytest.mark.parametrize("listed", [[[0, 1], [2]], [[2, 0], [1]], [[0, 1, 2], []], [[0, 1], [1, 2]]])
def test_results_with_every_queue_cover(listed):
    assert said(COVERS, 3, listed) is None


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ([[0], [2]], "queue 1 has no consumer."),
        ([[0, 0], []], "queue 1, queue 2 have no consumer."),
        ([[], []], "queue 0, queue 1, queue 2 have no consumer."),
        ([[0, 1], [3]], "queue 2 has no consumer."),
    ],
)
def test_missing_queues_are_named(listed, sentence):
    assert said(COVERS, 3, listed) == sentence


@pytest.mark.parametrize(
    ("taken", "words"),
    [([], "0 to 8"), ([8], "0 to 7"), ([3, 6], "0 to 2, 4, 5, 7 and 8"), ([1, 3, 4, 5, 7], "0, 2, 6 and 8")],
)
def test_many_missing_queues_are_ranges(taken, words):
    assert said(COVERS, 9, [taken]) == f"queues {words} have no consumer."
