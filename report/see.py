"""Commands that show how a claim fails."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.report.explorer.examples import example_of

__all__ = ["see"]


def see(claim: Claim) -> Sequence[str]:
    """``rebalance replay``, and ``rebalance explore`` if an example group shows it. Empty for claims that hold."""
    if claim.expected is not Verdict.REFUTED:
        return ()
    group = example_of(claim.id)
    return (f"rebalance replay {claim.id}", *([f"rebalance {group.name}"] if group else []))
