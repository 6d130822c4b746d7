"""What the results say of themselves."""

from dataclasses import replace

from rebalance_proofs.spark_enum.transition.results import CALLS, MODELS, SINGLES, Comparison, TransitionEnumerated

ONE = Comparison(SINGLES, "java_v4_9", "", 1, 0, 10, 10, "0" * 16, 0, "", 0.5)
TWO = Comparison(CALLS, "node", "push", 2, 3, 18, 18, "1" * 16, 0, "", 1.5)


def test_a_comparison_is_complete_and_equal():
    assert ONE.complete
    assert ONE.equal
    assert not replace(ONE, cases=9).complete
    assert not replace(ONE, cases=9).equal
    assert not replace(ONE, mismatches=1).equal


def test_names():
    assert ONE.name == "java_v4_9, 1 queue, singles"
    assert TWO.name == "node push, 2 queues, calls"


def test_everything_together():
    found = TransitionEnumerated((), (ONE, TWO, replace(TWO, queues=3, cases=27, expected_cases=27)))
    assert found.complete
    assert found.equal
    assert found.differing == ()
    assert (found.cases(CALLS), found.cases(CALLS, 3), found.cases(MODELS)) == (45, 27, 0)
    assert found.seconds(CALLS) == 3.0
    short = replace(found, comparisons=(replace(ONE, cases=9), replace(TWO, mismatches=2, first_mismatch="this")))
    assert not short.complete
    assert not short.equal
    assert short.differing == (
        "java_v4_9, 1 queue, singles: 9 cases instead of 10",
        "node push, 2 queues, calls: 2 mismatches, the first: this",
    )
