"""How reports show claims about pull requests: the functions that all reports use."""

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import PARTIES, Pulls
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.pulls.places import PLACES
from rebalance_proofs.spark_enum.pulls.kinds import REQUESTS

__all__ = ["PULLS"]


def about(claim: Claim) -> str:
    """Return a sentence about the client code that the claim covers."""
    return f"One queue of one push consumer of {claim.subjects[0].rocketmq_name}, and its pull requests."


def given(run: Run[Pulls, Limits]) -> str:
    """Return the first line of a counterexample in words: the initial state."""
    limit = run.limits.limit
    return f"One consumer takes one queue. A process queue without a pull for {limit:,} ms is overdue."


PULLS = machine_shown(
    Telling(CONFIGURATION, given, parties=PARTIES, limits=lambda run: vars(run.limits)),
    PLACES,
    about,
    none=f"a consumer does not reach this in {CONFIGURATION.limit} actions",
    around="1 consumer, 1 queue",
    actions=Actions(REQUESTS, "pull requests", "with pull requests", "a queue's pull requests"),
)
