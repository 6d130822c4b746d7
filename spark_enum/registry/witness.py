"""The registry as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import times_of
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.registry.search import example, explored
from rebalance_proofs.proofs.registry.situation import situation
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS
from rebalance_proofs.spark_enum.registry.steps import Steps
from rebalance_proofs.spark_enum.runs import explored_against

__all__ = ["REGISTRY"]


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, at the times of a model."""
    schedule = explored(encoding, claim)
    if schedule is None:
        return None
    times = [z3.IntVal(model.get(str(time), 0)) for time in times_of(schedule)]
    reached = situation(encoding, claim.world, example(claim).limits, schedule, times)
    told = (*reached.constraints.values(), claim.guarantee.violated(reached))
    return f"it is so after {len(schedule)} actions." if all(map(truth, told)) else None


AGAINST = explored_against(
    REGISTERS,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "a member and a broker come to the contrary",
    lambda claim: f"member and broker do not come to that in {example(claim).end} ticks",
)
REGISTRY = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=AGAINST, mistaken=mistaken)
