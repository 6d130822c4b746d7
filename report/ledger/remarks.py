"""Remarks on claims that say less than they seem to."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report.claim_address import beside

EXPLAINED = """PROVED *by construction*: the proof holds for any functions in the place of the strategy's own, so that
no choice of the client's could break it; what could be wrong about it is the form of the model, which enumeration and
recorded results hold against the clients. *Follows from*: a consequence of the claim that is named. Why, is said in
[structural.py](../../proofs/structural.py); a test computes what can be computed of it.
"""


def remark(claim: Claim) -> str:
    """Text to follow the verdict; empty without a remark."""
    if claim.id in STRUCTURAL:
        return " *by construction*"
    if claim.id in FOLLOWS:
        others = ", ".join(f"[{other}]({beside(other)})" for other in FOLLOWS[claim.id].claims)
        return f" (*follows from* {others})"
    return ""
