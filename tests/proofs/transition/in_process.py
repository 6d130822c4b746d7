"""A pool that asks both solvers in this process, and claims judged with it."""

import asyncio

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.prove import Options, prove_claim
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.proofs.search import search
from rebalance_proofs.proofs.solvers import SOLVERS
from rebalance_proofs.proofs.transition.search import LookingAtTables
from tests.proofs.solvers.pools import Said, Scripted, said


def both(text: str) -> list[Said]:
    """Answers of both solvers."""
    found = []
    for solver in ("z3", "cvc5"):
        outcome, model, _ = SOLVERS[solver].solve(text, seconds=20)
        found.append(said(outcome, **model))
    return found


def judged(claim: Claim, stability: int = 0) -> ClaimResult:
    """The claim's result, as both solvers judge it."""
    return asyncio.run(prove_claim(claim, Scripted(both), Options(stability=stability, teeth=False, width=False)))


def searched(claim: Claim, answers=both) -> Search:
    """The smallest counterexample of the claim; found with both solvers by default."""
    return asyncio.run(search(LookingAtTables(claim, Scripted(answers))))
