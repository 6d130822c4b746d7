"""Commands that show how a claim fails."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.index.entries import Entry, entries


def see(claim: Claim | Entry) -> Sequence[str]:
    """Return a ``rebalance replay`` command, and ``rebalance explore`` if an example group shows the failure.

    Empty for claims that hold.
    """
    if claim.holds:
        return ()
    known = claim if isinstance(claim, Entry) else entries().get(claim.id)
    return (f"rebalance replay {claim.id}", *([known.example] if known and known.example else []))
