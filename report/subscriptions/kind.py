"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.subscriptions.explore import END
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS
from rebalance_proofs.proofs.subscriptions.schedule import OPEN
from rebalance_proofs.proofs.subscriptions.search import RUNS, smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.again import of_timed_runs
from rebalance_proofs.report.subscriptions import document, places, story
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS

__all__ = ["SUBSCRIPTIONS"]


def about(claim: Claim) -> str:
    """Whose code."""
    return f"One member of a group of {claim.subjects[0].rocketmq_name}, all others, and one broker."


OPENS = {action: OPEN.get(action, ()) for action in ACTIONS}
SUBSCRIPTIONS = runs.shown(
    places.PLACES,
    about,
    smallest,
    f"a member does not come to that in {END} ticks",
    lines=story.lines,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    again=of_timed_runs(RUNS, OPENS),
    around="1 member, 1 topic",
    actions=Actions(
        HEARTBEATS, "subscriptions", "with subscriptions", "a subscription", "the code of client and broker"
    ),
)
