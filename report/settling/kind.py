"""All of it, as one record."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.settling.explore import END
from rebalance_proofs.proofs.settling.inductive import ACTIONS
from rebalance_proofs.proofs.settling.schedule import OBSERVES, OPEN
from rebalance_proofs.proofs.settling.search import RUNS, smallest
from rebalance_proofs.report import runs
from rebalance_proofs.report.again import of_timed_runs
from rebalance_proofs.report.settling import document, places, story, things

__all__ = ["SETTLING"]


def about(claim: Claim) -> str:
    """Whose code."""
    return f"The rebalance thread of one client of {claim.subjects[0].rocketmq_name}, and all that wakes it."


OPENS = {action: OPEN.get(action, ()) for action in (*ACTIONS, OBSERVES)}
SETTLING = runs.shown(
    places.PLACES,
    about,
    smallest,
    f"the thread does not come to that in {END} ticks",
    lines=story.lines,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    things=things.things,
    again=of_timed_runs(RUNS, OPENS),
    around="1 consumer",
)
