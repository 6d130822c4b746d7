"""The search for a run that breaks a claim about subscriptions: explored, and its times are the solvers'."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.subscriptions.examples import shown
from rebalance_proofs.proofs.subscriptions.explore import shortest
from rebalance_proofs.proofs.subscriptions.guarantees import sought
from rebalance_proofs.proofs.subscriptions.run import Run, run
from rebalance_proofs.proofs.subscriptions.situation import Situation, situation
from rebalance_proofs.proofs.timed_search import LookingAtTimedRuns, TimedRuns

__all__ = ["RUNS", "LookingAtSubscriptions", "explored", "reached", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim, in ticks; None when there is none."""
    return shortest(encoding, claim) if sought(claim) else None


def reached(
    encoding: Any, claim: Claim, schedule: Schedule, times: Sequence[z3.ArithRef], limits: Limits | None = None
) -> Situation:
    """It, at those times."""
    fingerprints, limits = claim.subjects[0].fingerprints, limits or shown(claim.world)
    return situation(encoding, claim.world, limits, schedule, times, fingerprints=fingerprints)


def _ran(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Run:
    return run(claim.subjects[0], claim.world, schedule, times, shown(claim.world))


RUNS = TimedRuns((2, 1), explored, reached, _ran)
smallest = RUNS.smallest


class LookingAtSubscriptions(LookingAtTimedRuns):
    """One member, and all others."""

    runs, around = RUNS, RUNS.around
