"""All self-tests for the comparisons that a command uses."""

from collections.abc import Iterator
from types import ModuleType

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.self_tests import records
from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.failures import SelfTest


def self_tests(asked: Asked, conformance: Conformance | None = None) -> tuple[SelfTest, ...]:
    """Return the self-tests of the comparisons that the command uses.

    ``conformance`` has the results for the files of recorded client results.
    """
    return tuple(map(tried, _trials(asked, conformance)))


def _trials(asked: Asked, conformance: Conformance | None) -> Iterator[Trial]:
    yield from records.trials()
    if asked.solvers or asked.bounds:
        from rebalance_proofs.evidence.self_tests import solvers

        yield from solvers.trials()
    if asked.solvers:
        from rebalance_proofs.evidence.self_tests import evaluated, verdicts

        yield from verdicts.trials()
        yield from evaluated.trials()
    if asked.bounds:
        for comparer in enumerating():
            yield from comparer.trials()
    if asked.vectors and conformance:
        from rebalance_proofs.evidence.self_tests import vectors

        yield from vectors.trials(asked.vectors, conformance)


def enumerating() -> tuple[ModuleType, ...]:
    """Return the modules about the comparisons that every enumeration uses; they load Spark and the clients' code."""
    from rebalance_proofs.evidence.self_tests import (
        calls,
        findings,
        formulas,
        groups,
        models,
        positions,
        promises,
        singles,
        sizes,
        tables,
    )

    return (findings, positions, formulas, sizes, singles, calls, tables, models, promises, groups)
