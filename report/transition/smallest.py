"""Search for the smallest counterexample: fewest queues first, then fewest departures from a benign round."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.search import plainest_violation


def smallest(claim: Claim) -> Counterexample:
    """The smallest counterexample. Raises ``LookupError`` when there is none within the bounds."""
    for queues in range(1, claim.world.most_queues + 1):
        found = plainest_violation(claim.guarantee, claim.world, claim.subjects[0], queues)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {claim.world.most_queues} queues")
