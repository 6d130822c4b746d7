"""How a run about one message is run once more, from its trace."""

from collections.abc import Sequence

import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.offsets.acting import acting
from rebalance_proofs.proofs.offsets.run import Run, run
from rebalance_proofs.proofs.offsets.schedule import opens
from rebalance_proofs.proofs.offsets.situation import MESSAGE, WHERE, situation
from rebalance_proofs.report.again import Runs, of_schedules

__all__ = ["AGAIN"]


def _where(claim: Claim) -> ConsumeFromWhere:
    where: ConsumeFromWhere | None = claim.world.where
    return where or ConsumeFromWhere.LAST_OFFSET


def _run(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Run:
    """With a message at the least offset, as the search does it."""
    return run(claim.subjects[0], claim.world, schedule, claim.world.least, _where(claim))


def _premises(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Sequence[z3.BoolRef]:
    found = list(situation(claim.subjects[0].encoding, claim.world, schedule).constraints.values())
    given = ((MESSAGE, z3.IntVal(claim.world.least)), (WHERE, z3.IntVal(WHERES.index(_where(claim)))))
    return [
        z3.substitute(possible, *given) if happens.action in claim.world.actions else NO
        for happens, possible in zip(schedule, found[-len(schedule) :], strict=True)
    ]


AGAIN = of_schedules(
    Runs(
        (2, 1),
        _run,
        _premises,
        lambda claim: {action: opens(action, claim.world.way) for action in acting(claim.world.way)},
        lambda claim, times: (claim.world.least, WHERES.index(_where(claim))),
        timed=False,
    )
)
