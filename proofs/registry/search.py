"""The search for a run of a member and a broker that breaks a claim: explored, and its times are the solvers'."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.registry.examples import FEW, SHIPPED, Example
from rebalance_proofs.proofs.registry.explore import shortest
from rebalance_proofs.proofs.registry.guarantees import AS_LONG, BAD, ROUTE_AS_LONG
from rebalance_proofs.proofs.registry.run import Run, run
from rebalance_proofs.proofs.registry.situation import Situation, situation
from rebalance_proofs.proofs.timed_search import LookingAtTimedRuns, TimedRuns

__all__ = ["RUNS", "LookingAtRegistry", "example", "explored", "reached", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim, in ticks; None when there is none, or there can be none."""
    if claim.guarantee in (AS_LONG, ROUTE_AS_LONG):
        return None
    found = example(claim)
    return shortest(encoding, claim.world, found.ticks, BAD[claim.guarantee.name], found.end)


def example(claim: Claim) -> Example:
    """With which limits a run is sought that breaks it."""
    return FEW if claim.holds else SHIPPED


def reached(encoding: Any, claim: Claim, schedule: Schedule, times: Sequence[z3.ArithRef]) -> Situation:
    """It, at those times."""
    return situation(encoding, claim.world, example(claim).limits, schedule, times)


def _ran(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Run:
    return run(claim.subjects[0], claim.world, schedule, times, example(claim).limits)


RUNS = TimedRuns((1, 1), explored, reached, _ran)
smallest = RUNS.smallest


class LookingAtRegistry(LookingAtTimedRuns):
    """One member."""

    runs, around = RUNS, RUNS.around
