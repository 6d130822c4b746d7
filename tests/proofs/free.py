"""What follows for encodings of which nothing is known."""

from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.teeth.free import freed

SECONDS = 5


def free(encoding: Any) -> Any:
    """An encoding of the same form with all of its functions replaced."""
    return freed(encoding).encoding


def holds_whatever_the_encoding(claim: Claim) -> bool:
    """Every obligation of the claim holds for any functions in the place of the encoding's."""
    return bool(claim.obligations) and all(
        implied([], step.statement(free(claim.subjects[0].encoding))) for step in claim.obligations
    )


def implied(known, statement) -> bool:
    """The statement follows from these formulas."""
    solver = z3.Solver()
    solver.set("timeout", SECONDS * 1000)
    solver.add(*known, *statement.given.values(), z3.Not(statement.then))
    return solver.check() == z3.unsat
