"""How a run of two consumers is run once more, from its trace."""

from collections.abc import Sequence

import z3

from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.ordered.circumstances import RESTART
from rebalance_proofs.proofs.ordered.examples import example
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.run import Run, run
from rebalance_proofs.proofs.ordered.schedule import OPEN, RESTARTS
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.report.again import Runs, of_schedules

__all__ = ["AGAIN"]

OPENS = {action: OPEN.get(action, ()) for action in (*ACTIONS, RESTARTS)}


def _run(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Run:
    client, world = claim.subjects[0], claim.world
    return run(client, world, schedule, times, example(client, world))


def _premises(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Sequence[z3.BoolRef]:
    client, world = claim.subjects[0], claim.world
    found = situation(client.encoding, world, example(client, world), schedule, list(map(z3.IntVal, times)))
    excluded = RESTARTS if world.keeps(RESTART) else ""
    return [
        NO if happens.action == excluded else possible
        for happens, possible in zip(schedule, found.constraints.values(), strict=True)
    ]


AGAIN = of_schedules(Runs((2, 1), _run, _premises, lambda claim: OPENS, lambda claim, times: tuple(times)))
