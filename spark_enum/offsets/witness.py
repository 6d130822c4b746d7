"""Offsets as a kind of claim: what is compared for it, and what exploration says against one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.offsets.explore import LIMIT
from rebalance_proofs.proofs.offsets.search import explored
from rebalance_proofs.proofs.offsets.situation import MESSAGE, WHERE, situation
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.offsets.kinds import STEPS
from rebalance_proofs.spark_enum.offsets.steps import Steps
from rebalance_proofs.spark_enum.results import Enumerated, Finding

__all__ = ["OFFSETS"]


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """The code and the terms of every client that is claimed about; the same within all bounds."""
    names = dict.fromkeys(client.name for claim in claims for client in claim.subjects)
    checks = [Steps(name).check() for name in names]
    yield findings(checks, run(checks))


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Whether two consumers come to it where they should not, or do not come to it where they should."""
    client = claim.subjects[0]
    if not enumerated.of(STEPS):
        return []
    schedule = explored(client.encoding, claim.world, claim.guarantee.name)
    if claim.expected is Verdict.PROVED and schedule:
        return [f"two consumers come to the contrary in {len(schedule)} actions"]
    if claim.expected is Verdict.REFUTED and not schedule:
        return [f"expected to fail, but two consumers do not come to that in {LIMIT} actions"]
    return []


def mistaken(claim: Claim, encoding: Any, model: Mapping[str, int], size: Sequence[int]) -> str | None:
    """What is the case at the end of the schedule that wrong terms allow, of the message of a model."""
    schedule = explored(encoding, claim.world, claim.guarantee.name)
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


OFFSETS = Kind(jobs=lambda claims, bounds: 1, found=found, against=against, mistaken=mistaken)
