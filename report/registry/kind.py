"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.registry.examples import SHIPPED
from rebalance_proofs.proofs.registry.search import smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.registry import document, figure, places, story

__all__ = ["REGISTRY"]


def about(claim: Claim) -> str:
    """Whose code."""
    return f"One member of a group, and the registry of one broker, of {claim.subjects[0].rocketmq_name}."


REGISTRY = runs.shown(
    places.PLACES,
    about,
    smallest,
    f"member and broker do not come to that in {SHIPPED.end} ticks",
    lines=story.lines,
    figure=figure.drawn,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    around="1 consumer, 1 broker",
)
