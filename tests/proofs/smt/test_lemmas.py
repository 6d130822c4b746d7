"""The lemma for reasoning about products."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.smt.linear import MONOTONE
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

each_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=lambda solver: solver.name)


@each_solver
def test_monotone_is_proved(solver):
    text = texts.proof("lemma", MONOTONE, AVERAGELY.encoding)
    assert solver.solve(text, seconds=10)[0] is Outcome.UNSAT


def test_monotone_is_proved_without_itself():
    text = texts.proof("lemma", MONOTONE, AVERAGELY.encoding)
    assert not texts.uses_lemmas(text)
    assert "(* x z)" in text


@each_solver
@pytest.mark.parametrize("dropped", MONOTONE.statement(AVERAGELY.encoding).given)
def test_monotone_needs_each_assumption(solver, dropped):
    statement = MONOTONE.statement(AVERAGELY.encoding)
    kept = [Assertion(label, world) for label, world in statement.given.items() if label != dropped]
    text = render(f"without {dropped}", [*kept, Assertion("", smt.Not(statement.then))], "QF_NIA")
    assert solver.solve(text, seconds=10)[0] is Outcome.SAT
