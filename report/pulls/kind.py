"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.pulls.explore import LIMIT
from rebalance_proofs.proofs.pulls.search import smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.pulls import again, document, places, story, things

__all__ = ["PULLS"]


def about(claim: Claim) -> str:
    """Whose code."""
    return f"One queue of one push consumer of {claim.subjects[0].rocketmq_name}, and its pull requests."


PULLS = runs.shown(
    places.PLACES,
    about,
    smallest,
    f"a consumer does not come to that in {LIMIT} actions",
    around="1 consumer, 1 queue",
    lines=story.lines,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    things=things.things,
    again=again.AGAIN,
)
