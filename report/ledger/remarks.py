"""Remarks on claims that are weaker than they look."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report.claim_address import beside

EXPLAINED = """- *by construction*: the proof holds for any function in place of the strategy, so no change of the
  client's code breaks the claim. Only the model's form could be wrong; enumeration and recorded results check it
  against the clients.
- *follows from*: the claim is a consequence of the named claims. [structural.py](../../proofs/structural.py) has the
  reasons of both remarks, and a test checks what can be computed of them."""


def remark(claim: Claim) -> str:
    """Return a remark to print after the claim's verdict; empty without a remark."""
    if claim.id in STRUCTURAL:
        return " *by construction*"
    if claim.id in FOLLOWS:
        others = ", ".join(f"[{other}]({beside(other)})" for other in FOLLOWS[claim.id].claims)
        return f" (*follows from* {others})"
    return ""
