"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.explore import LIMIT, LIMIT_IN_ORDER, LIMIT_IN_TURN
from rebalance_proofs.proofs.offsets.search import smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.offsets import document, figure, places, story, things

__all__ = ["OFFSETS"]


def about(claim: Claim) -> str:
    """Whose code."""
    name = claim.subjects[0].rocketmq_name
    listeners = "ordered" if claim.subjects[0].orderly else "concurrent"
    return f"One queue and one message, any number of consumers of {name} with {listeners} listeners, and the broker."


OFFSETS = runs.shown(
    places.PLACES,
    about,
    smallest,
    f"two consumers do not come to that in {LIMIT} actions ({LIMIT_IN_ORDER} with ordered listeners, {LIMIT_IN_TURN} "
    "where one comes after the other)",
    lines=story.lines,
    figure=figure.drawn,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    things=things.things,
)
