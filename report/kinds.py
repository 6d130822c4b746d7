"""Registry of the kinds of claims, each with how it is shown. Other modules do not look at a claim's kind."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.offsets.kind import OFFSETS
from rebalance_proofs.report.ordered.kind import ORDERED
from rebalance_proofs.report.pulls.kind import PULLS
from rebalance_proofs.report.registry.kind import REGISTRY
from rebalance_proofs.report.settling.kind import SETTLING
from rebalance_proofs.report.shown import Shown
from rebalance_proofs.report.subscriptions.kind import SUBSCRIPTIONS
from rebalance_proofs.report.transition.kind import TRANSITION

KINDS: dict[str, Shown] = {
    "allocation": ALLOCATION,
    "transition": TRANSITION,
    "ordered": ORDERED,
    "offsets": OFFSETS,
    "pulls": PULLS,
    "settling": SETTLING,
    "subscriptions": SUBSCRIPTIONS,
    "registry": REGISTRY,
}
"""Kind's name (from a claim's world) -> how it is shown; in the order of display."""


def shown(claim: Claim) -> Shown:
    """How claims of this claim's kind are shown. Raises ``TypeError`` for an unregistered kind."""
    kind = getattr(claim.world, "kind", None)
    if kind not in KINDS:
        raise TypeError(f"claims in a world of type {type(claim.world).__name__} cannot be shown")
    return KINDS[kind]


def in_words(names: str) -> str:
    """Names that users know for subjects given by their short names: ``hash+hash-go``; unknown names stay."""
    known = {one.name: (shown(claim), one) for claim in LEDGER for one in claim.subjects}
    found = ((name, *known.get(name, (None, None))) for name in names.split("+"))
    return " + ".join(kind.label(one) if kind else name for name, kind, one in found)
