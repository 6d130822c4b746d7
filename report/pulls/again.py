"""How a run about pull requests is run once more, from its trace."""

from collections.abc import Sequence

import z3

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.pulls.inductive import ACTIONS
from rebalance_proofs.proofs.pulls.run import Run, run
from rebalance_proofs.proofs.pulls.schedule import OPEN
from rebalance_proofs.proofs.pulls.situation import LIMIT, situation
from rebalance_proofs.report.again import Runs, of_schedules

__all__ = ["AGAIN"]

OPENS = {action: OPEN.get(action, ()) for action in ACTIONS}


def _run(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Run:
    return run(claim.subjects[0], claim.world, schedule, PULL_MAX_IDLE_TIME)


def _premises(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Sequence[z3.BoolRef]:
    found = list(situation(claim.subjects[0].encoding, claim.world, schedule).constraints.values())
    given = (LIMIT, z3.IntVal(PULL_MAX_IDLE_TIME))
    return [z3.substitute(possible, given) for possible in found[-len(schedule) :]]


AGAIN = of_schedules(
    Runs((1, 1), _run, _premises, lambda claim: OPENS, lambda claim, times: (PULL_MAX_IDLE_TIME,), timed=False)
)
