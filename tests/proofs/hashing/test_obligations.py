"""Every obligation about rings: proved by both solvers, true of the code, and not provable of wrong encodings."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.ring import Nearest, RingEncoding, behind, reaches, takes
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from tests.each import each
from tests.proofs.hashing.steps import STEPS, STEPS_GO, verdicts

AT_THE_HASH, FIRST, NO_WRAP, BEHIND, LAST = range(5)
FAULTS = {
    "strict-successor": AT_THE_HASH,
    "successor-at-the-hash": AT_THE_HASH,
    "first-on-collision": FIRST,
    "no-wrap": NO_WRAP,
    "one-behind-is-near-enough": BEHIND,
    "two-behind-is-near-enough": BEHIND,
    "three-behind-is-near-enough": BEHIND,
    "last-put": LAST,
}
"""The mutants of either client; the first two confuse `>` and `>=`."""
FAILS = {
    "owner.base": {NO_WRAP},
    "successor.base": {NO_WRAP},
    "successor.step": {AT_THE_HASH, FIRST, NO_WRAP, BEHIND, LAST},
    "join.step-other": {AT_THE_HASH},
    "join.step-joiner": {AT_THE_HASH, BEHIND, LAST},
    "joins.step-other": {AT_THE_HASH},
    "joins.step-joiner": {AT_THE_HASH, BEHIND, LAST},
    "part.step-seen": {AT_THE_HASH},
    "part.step-unseen": {AT_THE_HASH, BEHIND, LAST},
    "nearest.base": {NO_WRAP},
    "nearest.step": {AT_THE_HASH, NO_WRAP, BEHIND, LAST},
}
"""By which mutants an obligation fails. The others hold for every encoding of this form, or do not speak of it."""
SPREAD = 60
"""At so many of the small values the code is run."""

CLIENTS = ((CONSISTENT_HASH, STEPS), (CONSISTENT_HASH_GO, STEPS_GO))
each_step = each(
    ("strategy", "step"),
    [
        pytest.param(strategy, step, id=f"{strategy.name}-{name}")
        for strategy, steps in CLIENTS
        for name, step in steps.items()
    ],
)
each_solver = each("solver", SOLVERS)


def said(step, encoding, solver):
    return SOLVERS[solver].solve(texts.proof("test", step, encoding), seconds=20)[0]


@each_step
@each_solver
def test_ring_obligation_is_proved_by_each_solver(strategy, step, solver):
    assert said(step, strategy.encoding, solver) is Outcome.UNSAT


@each_step
def test_ring_obligation_holds_at_small_values(strategy, step):
    met, holds = verdicts(step, strategy.encoding)
    assert met.shape[1] > 0
    assert holds.all()


@each_step
def test_ring_obligation_holds_for_the_code(strategy, step):
    met, _ = verdicts(step, strategy.encoding)
    for column in met[:, :: met.shape[1] // SPREAD + 1].T.tolist():
        values = dict(zip(step.variables, column, strict=True))
        statement = step.statement(observed(strategy), values)
        assert all(smt.is_true(simplify(formula)) for formula in (*statement.given.values(), statement.then)), values


@each_step
def test_ring_obligation_fails_for_exactly_the_expected_mutants(strategy, step):
    expected = {mutant.name for mutant in strategy.mutants if FAULTS[mutant.name] in FAILS.get(step.name, set())}
    for solver in SOLVERS:
        found = {other.name for other in strategy.mutants if said(step, other.encoding, solver) is Outcome.SAT}
        assert found == expected
    assert {other.name for other in strategy.mutants if not verdicts(step, other.encoding)[1].all()} == expected


def test_inductions_have_a_base_and_a_step_with_unique_names():
    assert {*FAILS} < {*STEPS}
    for name in ("owner", "same", "successor", "join", "part", "nearest", "filter"):
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
    return Nearest(right.found, right.hash, smt.If(nearest.found, right.owner + 1, right.owner))


def forgets(nearest, node, right):
    """What was there before."""
    return Nearest(smt.BoolVal(True), node.hash, node.owner)


def remembers(nearest, node, right):
    """Where an empty ring was said to lead, which is nowhere."""
    return Nearest(right.found, smt.If(nearest.found, right.hash, nearest.hash), right.owner)


def loses(nearest, node, right):
    """The queue, when a second node is put."""
    return Nearest(smt.Not(nearest.found), right.hash, right.owner)


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
def test_otherwise_wrong_ring_is_detected(put, noticed):
    wrong = WithPut(behind, reaches, takes, put)
    failing = {name for name, step in STEPS.items() if said(step, wrong, "z3") is not Outcome.UNSAT}
    assert noticed <= failing
    assert failing == {name for name, step in STEPS.items() if said(step, wrong, "cvc5") is not Outcome.UNSAT}
