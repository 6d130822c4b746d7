"""Offsets as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.offsets.explore import within
from rebalance_proofs.proofs.offsets.search import explored
from rebalance_proofs.proofs.offsets.situation import MESSAGE, WHERE, situation
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.offsets.kinds import STEPS
from rebalance_proofs.spark_enum.offsets.steps import Steps
from rebalance_proofs.spark_enum.results import Enumerated

__all__ = ["OFFSETS"]


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Whether two consumers come to it where they should not, or do not come to it where they should."""
    client = claim.subjects[0]
    if not enumerated.of(STEPS):
        return []
    schedule = explored(client.encoding, claim)
    if claim.expected is Verdict.PROVED and schedule:
        return [f"two consumers come to the contrary in {len(schedule)} actions"]
    if claim.expected is Verdict.REFUTED and not schedule:
        return [f"expected to fail, but two consumers do not come to that in {within(claim.world)} actions"]
    return []


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, of the message of a model."""
    schedule = explored(encoding, claim)
    if schedule is None:
        return None
    reached = situation(encoding, claim.world, schedule)
    violated = claim.guarantee.violated(reached)
    where = claim.world.where
    numbers = [
        (MESSAGE, z3.IntVal(model.get(str(MESSAGE), 0))),
        (WHERE, z3.IntVal(model.get(str(WHERE), WHERES.index(where) if where else 0))),
    ]
    told = (z3.simplify(z3.substitute(term, *numbers)) for term in (*reached.constraints.values(), violated))
    return f"it is so after {len(schedule)} actions." if all(map(truth, told)) else None


OFFSETS = Kind(jobs=lambda claims, bounds: 1, found=compared(Steps), against=against, mistaken=mistaken)
