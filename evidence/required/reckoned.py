"""All required amounts of work of one run."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.digests import digests
from rebalance_proofs.evidence.required.actions import actions
from rebalance_proofs.evidence.required.answers import answers
from rebalance_proofs.evidence.required.groups import groups
from rebalance_proofs.evidence.required.promised import promised
from rebalance_proofs.evidence.required.rows import rows
from rebalance_proofs.evidence.required.steps import steps
from rebalance_proofs.evidence.required.sweeps import at_sizes, joins, sweeps
from rebalance_proofs.evidence.required.transitions import transitions
from rebalance_proofs.evidence.required.trials import trials
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.records import Conformance
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.results import Enumerated


def required(
    asked: Asked,
    claims: Sequence[ClaimResult] = (),
    enumerated: Enumerated | None = None,
    conformance: Conformance | None = None,
) -> tuple[Required, ...]:
    """Return the required and the found amounts of work of a run.

    Parts without any result are included.
    """
    return tuple(_required(asked, claims, enumerated, conformance))


def lacked_by(asked: Asked, claims: Sequence[ClaimResult], those: Collection[str]) -> tuple[str, ...]:
    """Return the names of required answer counts that only these claims fail to reach."""
    others = replace(asked, claims=tuple(claim for claim in asked.claims if claim.id not in those))
    left = {work.name: work for work in _answered(others, claims)}
    return tuple(work.name for work in _answered(asked, claims) if not work.ok and left[work.name].ok)


def _answered(asked: Asked, claims: Sequence[ClaimResult]) -> Iterator[Required]:
    if asked.solvers:
        yield from answers(asked, claims)
        yield from steps(asked, claims)
        yield from actions(asked, claims)


def _required(
    asked: Asked, claims: Sequence[ClaimResult], enumerated: Enumerated | None, conformance: Conformance | None
) -> Iterator[Required]:
    yield from trials()
    yield from _answered(asked, claims)
    if asked.bounds:
        found = enumerated or Enumerated("", "")
        for part in (sweeps, at_sizes, joins, transitions, promised, groups):
            yield from part(asked, asked.bounds, found)
        yield from digests(asked.bounds, found)
    if asked.vectors:
        yield from rows(asked.vectors, conformance or Conformance(()))
