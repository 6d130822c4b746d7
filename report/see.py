"""With which commands one sees how a claim fails."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.report.explorer.examples import example_of

__all__ = ["see"]


def see(claim: Claim) -> Sequence[str]:
    """Step by step; and in a whole group, if an example shows it there. None for a claim that does not fail."""
    if claim.expected is not Verdict.REFUTED:
        return ()
    group = example_of(claim.id)
    return (f"rebalance replay {claim.id}", *([f"rebalance {group.name}"] if group else []))
