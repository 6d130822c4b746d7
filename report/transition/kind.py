"""All of it, as one record."""

from operator import attrgetter

from rebalance_proofs.proofs.transition.failing import failing
from rebalance_proofs.report.english import case_size
from rebalance_proofs.report.shown import Shown
from rebalance_proofs.report.transition import places, sentences
from rebalance_proofs.report.transition.chart import drawn
from rebalance_proofs.report.transition.document import TYPES, document, states
from rebalance_proofs.report.transition.smallest import smallest
from rebalance_proofs.report.transition.story import story

TRANSITION = Shown(
    families=places.FAMILIES,
    family=places.family,
    row=places.row,
    column=places.column,
    cells=places.cells,
    about=sentences.about,
    given=sentences.given,
    listed=sentences.listed,
    label=attrgetter("rocketmq_name"),
    code=attrgetter("driver"),
    smallest=smallest,
    size=lambda example: case_size(example.queues, example.departures),
    lines=story,
    figure=drawn,
    document=document,
    types=TYPES,
    states=states,
    further={"can throw or fail": lambda claim: failing(claim.world)},
)
