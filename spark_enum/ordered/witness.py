"""Ordered consumption as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import times_of
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.ordered.examples import example
from rebalance_proofs.proofs.ordered.guarantees import is_explored
from rebalance_proofs.proofs.ordered.search import explored
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.explorer.groups import and_groups, checks_of
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS
from rebalance_proofs.spark_enum.ordered.transitions import Actions
from rebalance_proofs.spark_enum.runs import explored_against

__all__ = ["ORDERED"]


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, at the times of a model."""
    client = claim.subjects[0]
    schedule = explored(encoding, client, claim.world)
    if schedule is None:
        return None
    times = [z3.IntVal(model.get(str(time), 0)) for time in times_of(schedule)]
    reached = situation(encoding, claim.world, example(client, claim.world), schedule, times)
    ends = reached.left_behind if claim.world.prompt else reached.both
    if not all(map(truth, (*reached.constraints.values(), ends))):
        return None
    what = "a lock is left behind" if claim.world.prompt else "both listeners run"
    return f"{what} after {len(schedule)} actions."


AGAINST = explored_against(
    ACTIONS,
    lambda claim: explored(claim.subjects[0].encoding, claim.subjects[0], claim.world),
    "two consumers come to run two listeners, or one leaves a lock behind,",
    lambda claim: (
        f"two consumers never {'leave a lock behind' if claim.world.prompt else 'run two listeners'}, in ticks"
    ),
    is_explored,
)
ORDERED = Kind(
    jobs=lambda claims, bounds: 1, found=compared(Actions, checks_of), against=and_groups(AGAINST), mistaken=mistaken
)
