"""All of it, as one record."""

from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.explore import LIMIT, LIMIT_IN_ORDER, LIMIT_IN_TURN
from rebalance_proofs.proofs.offsets.search import smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.offsets import again, document, places, story, things
from rebalance_proofs.spark_enum.offsets.kinds import STEPS

__all__ = ["OFFSETS"]

LISTENERS = {Way.CONCURRENTLY: "concurrent", Way.ORDERLY: "ordered"}


def about(claim: Claim) -> str:
    """Whose code."""
    name = claim.subjects[0].rocketmq_name
    listeners = f" with {LISTENERS[claim.subjects[0].way]} listeners" if claim.subjects[0].way in LISTENERS else ""
    return f"One queue and one message, any number of consumers of {name}{listeners}, and the broker."


OFFSETS = runs.shown(
    places.PLACES,
    about,
    smallest,
    f"two consumers do not come to that in {LIMIT} actions ({LIMIT_IN_ORDER} with ordered listeners, {LIMIT_IN_TURN} "
    "where one comes after the other)",
    lines=story.lines,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    things=things.things,
    again=again.AGAIN,
    actions=Actions(STEPS, "offsets", "with offsets", "a queue and its offsets"),
)
