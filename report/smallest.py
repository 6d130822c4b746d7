"""The smallest counterexample of a claim, found by trying every group from the smallest on; no solver is asked."""

from functools import cache

from proofs.claim import Claim
from proofs.results import Counterexample
from proofs.smallest import LIMIT, first_violation, sizes_within

QUEUES = 5
"""As many queues are tried at most."""


@cache
def smallest(claim: Claim) -> Counterexample:
    """Fewest consumers first, then fewest queues. Raises ``LookupError`` when there is none within the bounds."""
    consumers, queues = (min(pair) for pair in zip(claim.premise.bound, (LIMIT, QUEUES), strict=True))
    for n, q in sizes_within((consumers, queues)):
        found = first_violation(claim.guarantee, claim.premise, claim.strategies, n, q)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {consumers} consumers and {queues} queues")
