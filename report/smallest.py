"""Smallest counterexample of a claim, by trying every case from the smallest on, without a solver."""

from functools import cache

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.kinds import shown


@cache
def smallest(claim: Claim) -> Counterexample:
    """Return the claim's smallest counterexample, cached.

    Raises ``LookupError`` if none is found.
    """
    return shown(claim).smallest(claim)
