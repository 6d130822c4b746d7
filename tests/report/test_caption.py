"""Counterexamples in words."""

from model.premises import AGREED, OWN_ID_LISTED, SAME_CID_ALL, SAME_MQ_ALL, SAME_STRATEGY
from report.caption import caption
from tests.report.groups import AVG, CIRCLE, counterexample


def test_different_lists_of_ids():
    assert caption(counterexample("disjoint", SAME_CID_ALL, 2, 1, (0, 0, 1))) == (
        "All consumers see mqAll [0].",
        "c0 sees cidAll [c0], has index 0 and takes queue 0.",
        "c1 sees cidAll [c1], has index 0 and takes queue 0.",
        "Queue 0 is consumed by both c0 and c1.",
    )


def test_different_routes():
    assert caption(counterexample("covers", SAME_MQ_ALL, 2, 2, (0, 1, 0, 1))) == (
        "All consumers see cidAll [c0, c1].",
        "c0 sees mqAll [0], has index 0 and takes queue 0.",
        "c1 sees mqAll [1], has index 1 and takes nothing.",
        "Queue 1 is consumed by nobody.",
    )


def test_different_strategies():
    lines = caption(counterexample("disjoint", SAME_STRATEGY, 2, 3, (0, 1), AVG, CIRCLE))
    assert lines[1] == "c0 runs AVG, has index 0 and takes queues 0 and 1."
    assert lines[2] == "c1 runs AVG_BY_CIRCLE, has index 1 and takes queue 1."


def test_one_consumer_alone():
    assert caption(counterexample("covers", OWN_ID_LISTED, 1, 1, (1,)))[0] == (
        "c0 sees cidAll [c0-old] and mqAll [0], does not find its own id there and takes nothing."
    )


def test_a_client_id_keeps_its_letters():
    lines = caption(counterexample("contiguous", AGREED, 2, 3, (), CIRCLE))
    assert lines[-1] == "c0 has positions 0 and 2, but nothing between them."
