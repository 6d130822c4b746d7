"""All of it, as one record."""

from operator import attrgetter

from rebalance_proofs.proofs.transition.failing import failing
from rebalance_proofs.report.english import case_size
from rebalance_proofs.report.shown import Shown
from rebalance_proofs.report.transition import (
    again,
    alike,
    chart,
    document,
    places,
    played,
    recordings,
    sentences,
    smallest,
    story,
)
from rebalance_proofs.report.transition.enumeration import TRANSITIONS_TOLD

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
    smallest=smallest.smallest,
    size=lambda example: case_size(example.queues, example.departures),
    lines=story.story,
    figure=chart.drawn,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    played=played.played,
    again=again.AGAIN,
    recorded=recordings.recordings,
    enumeration=TRANSITIONS_TOLD,
    alike=alike.alike,
    further={"can throw or fail": lambda claim: failing(claim.world)},
)
