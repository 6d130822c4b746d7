"""Every obligation about rings: proved by both solvers, true of the code, and not provable of wrong encodings."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import z3

from model.allocation.consistent_hash import CONSISTENT_HASH
from model.allocation.ring import MUTANTS, RING, Nearest, RingEncoding, behind, reaches, takes
from proofs import texts
from proofs.observed import observed
from proofs.solvers import SOLVERS, Outcome
from tests.proofs.hashing.steps import STEPS, verdicts

BY_NAME = {mutant.name: mutant.encoding for mutant in MUTANTS}
STRICT, FIRST, NO_WRAP, BEHIND, *FURTHER_BEHIND = BY_NAME
FAILS = {
    "owner.base": {NO_WRAP},
    "successor.base": {NO_WRAP},
    "successor.step": {STRICT, FIRST, NO_WRAP, BEHIND, *FURTHER_BEHIND},
    "join.step-other": {STRICT},
    "join.step-joiner": {STRICT, BEHIND, *FURTHER_BEHIND},
    "joins.step-other": {STRICT},
    "joins.step-joiner": {STRICT, BEHIND, *FURTHER_BEHIND},
    "part.step-seen": {STRICT},
    "part.step-unseen": {STRICT, BEHIND, *FURTHER_BEHIND},
}
"""By which mutants an obligation fails. The others hold for every encoding of this form, or do not speak of it."""
SPREAD = 60
"""At so many of the small values the code is run."""

each_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
each_solver = pytest.mark.parametrize("solver", SOLVERS)


def said(step, encoding, solver):
    return SOLVERS[solver].solve(texts.proof("test", step, encoding), seconds=20)[0]


@each_step
@each_solver
def test_each_solver_proves_it(step, solver):
    assert said(step, RING, solver) is Outcome.UNSAT


@each_step
def test_it_is_met_and_never_false_at_small_values(step):
    met, holds = verdicts(step, RING)
    assert met.shape[1] > 0
    assert holds.all()


@each_step
def test_it_is_true_of_what_the_code_returns(step):
    met, _ = verdicts(step, RING)
    for column in met[:, :: met.shape[1] // SPREAD + 1].T.tolist():
        values = dict(zip(step.variables, column, strict=True))
        statement = step.statement(observed(CONSISTENT_HASH), values)
        assert all(z3.is_true(z3.simplify(formula)) for formula in (*statement.given.values(), statement.then)), values


@each_step
def test_it_fails_by_the_mutants_that_it_should_notice_and_by_no_others(step):
    expected = FAILS.get(step.name, set())
    for solver in SOLVERS:
        assert {name for name, wrong in BY_NAME.items() if said(step, wrong, solver) is Outcome.SAT} == expected
    assert {name for name, wrong in BY_NAME.items() if not verdicts(step, wrong)[1].all()} == expected


def test_names_are_unique_and_inductions_have_a_base_and_a_step():
    assert {*FAILS} < {*STEPS}
    for name in ("owner", "same", "successor", "join", "part", "filter"):
        kinds = [step.partition(".")[2].partition("-")[0] for step in STEPS if step.startswith(f"{name}.")]
        assert kinds[0] == "base"
        assert "step" in kinds


@dataclass(frozen=True)
class WithPut(RingEncoding):
    """A ring that does something else when a node is put on it."""

    then: Callable[..., Nearest]

    def put(self, queue, nearest, node):
        return self.then(nearest, node, super().put(queue, nearest, node))


def invents(nearest, node, right):
    """A consumer behind the last one, who has no node."""
    return Nearest(right.found, right.hash, right.owner + 1)


def invents_later(nearest, node, right):
    """The same, but for the first node."""
    return Nearest(right.found, right.hash, z3.If(nearest.found, right.owner + 1, right.owner))


def forgets(nearest, node, right):
    """What was there before."""
    return Nearest(z3.BoolVal(True), node.hash, node.owner)


def remembers(nearest, node, right):
    """Where an empty ring was said to lead, which is nowhere."""
    return Nearest(right.found, z3.If(nearest.found, right.hash, nearest.hash), right.owner)


def loses(nearest, node, right):
    """The queue, when a second node is put."""
    return Nearest(z3.Not(nearest.found), right.hash, right.owner)


@pytest.mark.parametrize(
    ("put", "noticed"),
    [
        (invents, {"owner.base", "owner.step", "successor.base", "successor.step", "join.step-other"}),
        (invents_later, {"owner.step", "successor.step", "join.step-other"}),
        (forgets, {"successor.step", "join.step-joiner", "part.step-unseen"}),
        (remembers, {"same.step", "successor.base"}),
        (loses, {"owner.step", "successor.step", "join.step-other"}),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_ring_that_goes_wrong_otherwise_is_noticed(put, noticed):
    wrong = WithPut(behind, reaches, takes, put)
    failing = {name for name, step in STEPS.items() if said(step, wrong, "z3") is not Outcome.UNSAT}
    assert noticed <= failing
    assert failing == {name for name, step in STEPS.items() if said(step, wrong, "cvc5") is not Outcome.UNSAT}
