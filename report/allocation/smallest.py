"""Search the smallest counterexample group: fewest consumers first, then fewest queues."""

from rebalance_proofs.proofs.allocation.search import LIMIT, first_violation, sizes_within
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample

QUEUES = 5
"""Largest number of queues of the groups that the search tries."""


def smallest(claim: Claim) -> Counterexample:
    """Return the smallest counterexample.

    Raises ``LookupError`` if there is none within the bounds.
    """
    consumers, queues = (min(pair) for pair in zip(claim.world.bound, (LIMIT, QUEUES), strict=True))
    for n, q in sizes_within((consumers, queues)):
        found = first_violation(claim.guarantee, claim.world, claim.subjects, n, q)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {consumers} consumers and {queues} queues")
