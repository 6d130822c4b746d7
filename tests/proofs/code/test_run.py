"""Branches taken by a run of a client's code; decided branches are not split."""

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.run import Run

X = smt.Int("x")


@pytest.mark.parametrize(
    ("condition", "taken"), [(smt.IntVal(1) < 2, True), (X < X, False), (smt.Or(X < 3, X >= 3), None)]
)
def test_constant_condition_opens_no_branch(condition, taken):
    run = Run()
    assert run.decide(condition) is (True if taken is None else taken)
    assert (len(run.turning.literals) == 0) is (taken is not None)


def test_open_condition_is_true_first_and_then_known():
    run = Run()
    assert run.decide(X < 3) is True
    assert run.decide(X < 3) is True
    assert len(run.turning.literals) == 1
    assert Run((False,)).decide(X < 3) is False


def test_constant_guard_is_dropped():
    run = Run()
    run.guard(smt.IntVal(1) < 2)
    assert run.guards == []
    run.guard(X < 3)
    assert len(run.guards) == 1
