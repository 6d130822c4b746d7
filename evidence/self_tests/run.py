"""All self-tests for the comparisons that a command uses."""

from collections.abc import Iterator

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.self_tests import (
    calls,
    evaluated,
    formulas,
    groups,
    models,
    positions,
    promises,
    records,
    singles,
    sizes,
    solvers,
    tables,
    vectors,
    verdicts,
)
from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.evidence import SelfTest

ENUMERATING = (positions, formulas, sizes, singles, calls, tables, models, promises, groups)
"""The comparisons that every enumeration uses."""


def self_tests(asked: Asked, conformance: Conformance | None = None) -> tuple[SelfTest, ...]:
    """Return the self-tests of the comparisons that the command uses.

    ``conformance`` has the results for the files of recorded client results.
    """
    return tuple(map(tried, _trials(asked, conformance)))


def _trials(asked: Asked, conformance: Conformance | None) -> Iterator[Trial]:
    yield from records.trials()
    if asked.solvers or asked.bounds:
        yield from solvers.trials()
    if asked.solvers:
        yield from verdicts.trials()
        yield from evaluated.trials()
    if asked.bounds:
        for comparer in ENUMERATING:
            yield from comparer.trials()
    if asked.vectors and conformance:
        yield from vectors.trials(asked.vectors, conformance)
