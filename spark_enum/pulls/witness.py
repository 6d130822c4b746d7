"""Pull requests as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.pulls.explore import LIMIT
from rebalance_proofs.proofs.pulls.search import explored
from rebalance_proofs.proofs.pulls.situation import LIMIT as IDLE
from rebalance_proofs.proofs.pulls.situation import situation
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.pulls.kinds import REQUESTS
from rebalance_proofs.spark_enum.pulls.requests import Requests
from rebalance_proofs.spark_enum.runs import explored_against

__all__ = ["PULLS"]


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow."""
    schedule = explored(encoding, claim)
    if schedule is None:
        return None
    reached = situation(encoding, claim.world, schedule)
    idle = (IDLE, z3.IntVal(model.get(str(IDLE), PULL_MAX_IDLE_TIME)))
    terms = (*reached.constraints.values(), claim.guarantee.violated(reached))
    told = (z3.simplify(z3.substitute(term, idle)) for term in terms)
    return f"it is so after {len(schedule)} actions." if all(map(truth, told)) else None


AGAINST = explored_against(
    REQUESTS,
    lambda claim: explored(claim.subjects[0].encoding, claim),
    "a consumer comes to the contrary",
    lambda claim: f"a consumer does not come to that in {LIMIT} actions",
)
PULLS = Kind(jobs=lambda claims, bounds: 1, found=compared(Requests), against=AGAINST, mistaken=mistaken)
