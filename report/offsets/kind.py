"""All of it, as one record."""

from operator import attrgetter

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.explore import LIMIT
from rebalance_proofs.proofs.offsets.search import smallest as explored
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report import runs
from rebalance_proofs.report.offsets import document, figure, places, story
from rebalance_proofs.report.shown import Shown

__all__ = ["OFFSETS"]


def about(claim: Claim) -> str:
    """Whose code."""
    name = claim.subjects[0].rocketmq_name
    return f"One queue and one message, any number of consumers of {name} with concurrent listeners, and the broker."


def smallest(claim: Claim) -> Counterexample:
    """Raises ``LookupError`` when there is none."""
    found = explored(claim)
    if found is None:
        raise LookupError(f"{claim.id}: two consumers do not come to that in {LIMIT} actions")
    return found


OFFSETS = Shown(
    families=(places.OFFSETS,),
    family=places.PLACES.family,
    row=places.PLACES.row,
    column=places.PLACES.column,
    cells=places.PLACES.cells,
    about=about,
    given=runs.given,
    listed=places.PLACES.listed,
    label=attrgetter("rocketmq_name"),
    code=attrgetter("made"),
    smallest=smallest,
    size=lambda example: runs.size(example.departures),
    lines=story.lines,
    figure=figure.drawn,
    document=document.document,
    types=document.TYPES,
    states=document.states,
)
