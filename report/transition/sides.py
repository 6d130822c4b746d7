"""Run each client of a counterexample: one client, or two clients that are compared on the same case."""

from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.search import run_case


def sides(claim: Claim, example: Counterexample) -> tuple[Rounds, ...]:
    """Return the rounds (rebalances) of each client of the claim.

    The first are the counterexample's.
    """
    found = example.group
    return (found, *(run_case(claim.world, client, found.mode, found.case) for client in claim.subjects[1:]))
