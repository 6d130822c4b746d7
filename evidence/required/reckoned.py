"""Everything that is required of one run."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.digests import digests
from rebalance_proofs.evidence.required.answers import answers
from rebalance_proofs.evidence.required.promised import promised
from rebalance_proofs.evidence.required.rows import rows
from rebalance_proofs.evidence.required.steps import steps
from rebalance_proofs.evidence.required.sweeps import at_sizes, joins, sweeps
from rebalance_proofs.evidence.required.transitions import transitions
from rebalance_proofs.evidence.required.trials import trials
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import Conformance
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.results import Enumerated


def required(
    asked: Asked,
    claims: Sequence[ClaimResult] = (),
    enumerated: Enumerated | None = None,
    conformance: Conformance | None = None,
) -> tuple[Required, ...]:
    """By what was asked; a part of the work that left no result at all is told too."""
    return tuple(_required(asked, claims, enumerated, conformance))


def _required(
    asked: Asked, claims: Sequence[ClaimResult], enumerated: Enumerated | None, conformance: Conformance | None
) -> Iterator[Required]:
    yield from trials()
    if asked.solvers:
        yield from answers(asked, claims)
        yield from steps(asked, claims)
    if asked.bounds:
        found = enumerated or Enumerated("", "")
        for part in (sweeps, at_sizes, joins, transitions, promised):
            yield from part(asked, found)
        yield from digests(asked.bounds, found)
    if asked.vectors:
        yield from rows(asked.vectors, conformance or Conformance(()))
