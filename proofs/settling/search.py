"""The search for a run of a rebalance thread that breaks a claim: explored, and its times are the solvers'."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.settling.examples import DEFAULTS, TICKS
from rebalance_proofs.proofs.settling.explore import shortest
from rebalance_proofs.proofs.settling.guarantees import bad_of
from rebalance_proofs.proofs.settling.run import Run, run
from rebalance_proofs.proofs.settling.situation import Situation, situation
from rebalance_proofs.proofs.timed_search import LookingAtTimedRuns, TimedRuns

__all__ = ["RUNS", "LookingAtSettling", "explored", "reached", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim, in ticks; None when there is none."""
    return shortest(encoding, claim.world, TICKS, bad_of(claim))


def reached(encoding: Any, claim: Claim, schedule: Schedule, times: Sequence[z3.ArithRef]) -> Situation:
    """It, at those times."""
    return situation(encoding, claim.world, DEFAULTS, schedule, times)


def _ran(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Run:
    return run(claim.subjects[0], claim.world, schedule, times, DEFAULTS)


RUNS = TimedRuns((1, 1), explored, reached, _ran)
smallest = RUNS.smallest


class LookingAtSettling(LookingAtTimedRuns):
    """One client."""

    runs, around = RUNS, RUNS.around
