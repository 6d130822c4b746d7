"""The assumptions of a claim, on a line of their own."""

from rebalance_proofs.proofs.claim import Claim

__all__ = ["assumed"]


def assumed(claim: Claim) -> str:
    """The line, such as ``Assumes: no broker restart; no clock steps.``; what a claim drops follows it."""
    parts = [f"Assumes: {'; '.join(claim.assumes)}."] if claim.assumes else []
    if claim.world.dropped:
        parts.append(f"Does not assume: {claim.world.drops}.")
    return " ".join(parts)
