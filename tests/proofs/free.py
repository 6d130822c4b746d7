"""Consequences that hold for any encoding."""

from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.mutation.free import freed

SECONDS = 5


def free(encoding: Any) -> Any:
    """An encoding of the same form, with uninterpreted functions in place of its own."""
    return freed(encoding).encoding


def holds_whatever_the_encoding(claim: Claim) -> bool:
    """Whether every obligation of the claim holds for any functions in place of the encoding's."""
    return bool(claim.obligations) and all(
        implied([], step.statement(free(claim.subjects[0].encoding))) for step in claim.obligations
    )


def implied(known, statement) -> bool:
    """Whether the statement follows from these formulas."""
    solver = Solver(SECONDS)
    solver.add(*known, *statement.given.values(), smt.Not(statement.then))
    return solver.check() == unsat
