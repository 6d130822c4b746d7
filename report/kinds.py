"""Registry of the kinds of claims, with how reports show each kind."""

from collections.abc import Mapping

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import Table
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.shown import Shown

KINDS: Mapping[str, Shown] = Table(
    {
        "allocation": "rebalance_proofs.report.allocation.kind.ALLOCATION",
        "transition": "rebalance_proofs.report.transition.kind.TRANSITION",
        "ordered": "rebalance_proofs.report.ordered.pauses.ORDERED",
        "offsets": "rebalance_proofs.report.machine.declared.kind:offsets",
        "pulls": "rebalance_proofs.report.machine.declared.kind:pulls",
        "settling": "rebalance_proofs.report.machine.declared.kind:settling",
        "subscriptions": "rebalance_proofs.report.machine.declared.kind:subscriptions",
        "registry": "rebalance_proofs.report.machine.declared.kind:registry",
    }
)
"""Name of a kind of claims -> how reports show its claims; in display order."""


def shown(claim: Claim) -> Shown:
    """Return how reports show the claims of this claim's kind.

    Raises ``TypeError`` for an unregistered kind.
    """
    kind = str(getattr(claim.world, "kind", None))
    if kind not in KINDS:
        raise TypeError(f"claims in a world of type {type(claim.world).__name__} cannot be shown")
    return KINDS[kind]


def in_words(names: str) -> str:
    """Replace short names of strategies or clients, such as ``hash+hash-go``, by display names."""
    known = {one.name: (shown(claim), one) for claim in LEDGER for one in claim.subjects}
    found = ((name, *known.get(name, (None, None))) for name in names.split("+"))
    return " + ".join(kind.label(one) if kind else name for name, kind, one in found)
