"""How reports show claims about transitions (rebalances): the functions that all reports use."""

from operator import attrgetter

from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.failing import failing
from rebalance_proofs.proofs.transition.search import plainest_violation
from rebalance_proofs.recorded.transition.dialect import REBALANCE
from rebalance_proofs.recorded.transition.java import JAVA
from rebalance_proofs.recorded.transition.node import NODE
from rebalance_proofs.report.english import case_size
from rebalance_proofs.report.shown import Shown
from rebalance_proofs.report.transition import (
    again,
    alike,
    chart,
    document,
    places,
    played,
    sentences,
    story,
)
from rebalance_proofs.report.transition.enumeration import TRANSITIONS_TOLD


def smallest(claim: Claim) -> Counterexample:
    """Return the counterexample with the fewest queues, then the fewest values unlike the defaults.

    Raises ``LookupError`` if there is none within the bounds.
    """
    for queues in range(1, claim.world.most_queues + 1):
        found = plainest_violation(claim.guarantee, claim.world, claim.subjects[0], queues)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {claim.world.most_queues} queues")


def recordings(client: Client) -> dict[tuple[str, str], str]:
    """Return the client's recorded results: (client, part of the model) -> display name of the release.

    One release was recorded. According to their sources, other releases of its generation behave the same.
    """
    if client.observed in JAVA:
        return {(JAVA[client.observed].name, REBALANCE): f"Java {client.observed}"}
    ran = f"node{client.observed}"
    return {(NODE[ran].name, REBALANCE): f"ali-ons {client.observed}"} if ran in NODE else {}


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
    lines=story.story,
    figure=chart.drawn,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    played=played.played,
    again=again.AGAIN,
    recorded=recordings,
    enumeration=TRANSITIONS_TOLD,
    alike=alike.alike,
    further={"can throw or fail": lambda claim: failing(claim.world)},
)
