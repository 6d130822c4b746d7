"""Offsets as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.offsets.explore import within
from rebalance_proofs.proofs.offsets.search import explored
from rebalance_proofs.proofs.offsets.situation import MESSAGE, WHERE, situation
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.explorer.groups import and_groups, checks_of
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.offsets.kinds import STEPS
from rebalance_proofs.spark_enum.offsets.steps import Steps
from rebalance_proofs.spark_enum.runs import explored_against

__all__ = ["OFFSETS"]


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, of the message of a model."""
    schedule = explored(encoding, claim)
    if schedule is None:
        return None
    reached = situation(encoding, claim.world, schedule)
    violated = claim.guarantee.violated(reached)
    where = claim.world.where
    numbers = [
        (MESSAGE, z3.IntVal(model.get(str(MESSAGE), claim.world.least))),
        (WHERE, z3.IntVal(model.get(str(WHERE), WHERES.index(where) if where else 0))),
    ]
    told = (z3.simplify(z3.substitute(term, *numbers)) for term in (*reached.constraints.values(), violated))
    return f"it is so after {len(schedule)} actions." if all(map(truth, told)) else None


AGAINST = explored_against(
    STEPS,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "two consumers come to the contrary",
    lambda claim: f"two consumers do not come to that in {within(claim.world)} actions",
)
OFFSETS = Kind(
    jobs=lambda claims, bounds: 1, found=compared(Steps, checks_of), against=and_groups(AGAINST), mistaken=mistaken
)
