"""Commands that show how a claim fails."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.explorer.examples import example_of
from rebalance_proofs.report.index.entry import Entry

__all__ = ["see"]


def see(claim: Claim | Entry) -> Sequence[str]:
    """``rebalance replay``, and ``rebalance explore`` if an example group shows it. Empty for claims that hold."""
    if claim.holds:
        return ()
    group = example_of(claim.id)
    return (f"rebalance replay {claim.id}", *([f"rebalance {group.name}"] if group else []))
