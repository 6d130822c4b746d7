"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.registry.examples import SHIPPED
from rebalance_proofs.proofs.registry.schedule import ACTIONS, OBSERVES, OPEN
from rebalance_proofs.proofs.registry.search import RUNS, smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.again import of_timed_runs
from rebalance_proofs.report.registry import document, figure, places, story
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS

__all__ = ["REGISTRY"]


def about(claim: Claim) -> str:
    """Whose code."""
    return f"One member of a group, and the registry of one broker, of {claim.subjects[0].rocketmq_name}."


OPENS = {action: OPEN.get(action, ()) for action in (*ACTIONS, OBSERVES)}
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
    again=of_timed_runs(RUNS, OPENS),
    around="1 consumer, 1 broker",
    actions=Actions(
        REGISTERS, "brokers' registries", "of brokers' registries", "a broker's table", "the code of member and broker"
    ),
)
