"""Find claims that prove that a rebalance does the same in two clients."""

from functools import cache

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.transition.scenario import Action


def alike(claim: Claim) -> tuple[Claim, ...]:
    """Return claims by which a claim about one client also holds for another client.

    Empty if the claim is not about a rebalance.
    """
    return _alike() if claim.world.action is Action.REBALANCES else ()


@cache
def _alike() -> tuple[Claim, ...]:
    return tuple(
        claim
        for claim in LEDGER.of("transition")
        if len(claim.subjects) > 1 and claim.guarantee.name == "same"
        if claim.expected is Verdict.PROVED and not claim.world.name
    )
