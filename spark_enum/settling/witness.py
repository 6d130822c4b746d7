"""Settling as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.settling.examples import DEFAULTS
from rebalance_proofs.proofs.settling.explore import END
from rebalance_proofs.proofs.settling.search import explored
from rebalance_proofs.proofs.settling.situation import situation, times_of
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.results import Enumerated
from rebalance_proofs.spark_enum.settling.kinds import WAKES
from rebalance_proofs.spark_enum.settling.steps import Steps

__all__ = ["SETTLING"]


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Whether a thread comes to it, in ticks, where it should not, or does not come to it where it should."""
    if not enumerated.of(WAKES):
        return []
    schedule = explored(claim.subjects[0].encoding, claim)
    if claim.expected is Verdict.PROVED and schedule:
        return [f"the thread comes to the contrary in {len(schedule)} actions"]
    if claim.expected is Verdict.REFUTED and not schedule:
        return [f"expected to fail, but the thread does not come to that in {END} ticks"]
    return []


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, at the times of a model."""
    schedule = explored(encoding, claim)
    if schedule is None:
        return None
    times = [z3.IntVal(model.get(str(time), 0)) for time in times_of(schedule)]
    reached = situation(encoding, claim.world, DEFAULTS, schedule, times)
    told = (*reached.constraints.values(), claim.guarantee.violated(reached))
    return f"it is so after {len(schedule)} actions." if all(map(truth, told)) else None


SETTLING = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=against, mistaken=mistaken)
