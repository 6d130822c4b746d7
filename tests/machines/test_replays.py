"""Premises of proofs have models that differ in each field, and the client's code replays each model."""

from collections.abc import Iterator

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.named import number, truth
from rebalance_proofs.proofs.obligation import Obligation

PROVED = [claim for claim in LEDGER if claim.holds and isinstance(claim.guarantee, ProvedByInduction)]
FIRST = {(claim.subjects[0].name, claim.kind): claim for claim in reversed(PROVED)}.values()
"""A claim about each client of each machine."""
FEW = 1
"""Obligation of each such claim; slow tests try all of all claims."""


def models(claim: Claim, step: Obligation) -> Iterator[dict[str, int]]:
    """Models of the premises: for each unknown one in which it is 0, and one in which it is 1, if there are such."""
    solver = Solver()
    solver.add(step.statement(claim.subjects[0].encoding).given.values())
    for name in step.variables:
        for value in (0, 1):
            if solver.check(smt.Int(name) == value) == sat:
                found = solver.model()
                yield {one: number(found.eval(smt.Int(one), model_completion=True)) for one in step.variables}


def unlike(claim: Claim, step: Obligation) -> list[dict[str, int]]:
    """Models that the code does not replay: it does not meet the premises there, or not the conclusion."""
    code, found = KINDS[claim.kind].observed(claim.subjects[0]), []
    for values in models(claim, step):
        said = step.statement(code, values)
        if not all(map(truth, (*said.given.values(), said.then))):
            found.append(values)
    return found


def replayed(claim: Claim) -> list[Obligation]:
    return [step for step in claim.obligations if not step.abstract]


@pytest.mark.parametrize("claim", FIRST, ids=lambda claim: claim.id)
def test_model_that_differs_in_each_field_is_replayed(claim):
    steps = replayed(claim)
    for step in steps[len(steps) // 2 :][:FEW]:
        assert unlike(claim, step) == [], step.name


@pytest.mark.slow
@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_every_differing_model_is_replayed(claim):
    for step in replayed(claim):
        assert unlike(claim, step) == [], step.name
