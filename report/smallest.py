"""The smallest counterexample of a claim, found by trying every case from the smallest on; no solver is asked."""

from functools import cache

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.kinds import shown


@cache
def smallest(claim: Claim) -> Counterexample:
    """Once found it is kept. Raises ``LookupError`` when there is none within the bounds."""
    return shown(claim).smallest(claim)
