"""All of it, as one record."""

from operator import attrgetter

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.search import smallest as explored
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report import runs
from rebalance_proofs.report.ordered import document, figure, places, story
from rebalance_proofs.report.shown import Shown


def about(claim: Claim) -> str:
    """Whose code."""
    name = claim.subjects[0].rocketmq_name
    return f"One queue, any number of consumers of {name} with ordered listeners, and the broker's lock."


def smallest(claim: Claim) -> Counterexample:
    """Raises ``LookupError`` when there is none."""
    found = explored(claim)
    if found is None:
        raise LookupError(f"{claim.id}: two consumers never run two listeners, in ticks of ten seconds")
    return found


ORDERED = Shown(
    families=(places.ORDERED,),
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
