"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.search import smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.ordered import again, document, places, story, things
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS


def about(claim: Claim) -> str:
    """Whose code."""
    name = claim.subjects[0].rocketmq_name
    return f"One queue, any number of consumers of {name} with ordered listeners, and the broker's lock."


ORDERED = runs.shown(
    places.PLACES,
    about,
    smallest,
    "two consumers never run two listeners, in ticks of ten seconds",
    lines=story.lines,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    things=things.things,
    again=again.AGAIN,
    actions=Actions(ACTIONS, "ordered consumption", "of ordered consumers", "an ordered queue"),
)
