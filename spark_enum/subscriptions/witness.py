"""Subscriptions as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import times_of
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.subscriptions.explore import END
from rebalance_proofs.proofs.subscriptions.guarantees import sought
from rebalance_proofs.proofs.subscriptions.search import explored, reached
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.runs import explored_against
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS
from rebalance_proofs.spark_enum.subscriptions.steps import Steps

__all__ = ["SUBSCRIPTIONS"]


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, at the times of a model."""
    schedule = explored(encoding, claim)
    if schedule is None:
        return None
    times = [z3.IntVal(model.get(str(time), 0)) for time in times_of(schedule)]
    found = reached(encoding, claim, schedule, times)
    told = (*found.constraints.values(), claim.guarantee.violated(found))
    return f"it is so after {len(schedule)} actions." if all(map(truth, told)) else None


AGAINST = explored_against(
    HEARTBEATS,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "a member comes to the contrary",
    lambda claim: f"a member does not come to that in {END} ticks",
    sought,
)
SUBSCRIPTIONS = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=AGAINST, mistaken=mistaken)
