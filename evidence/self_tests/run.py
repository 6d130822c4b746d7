"""All self-tests for the comparisons that a command uses."""

from collections.abc import Callable, Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.self_tests import verdicts
from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.failures import SelfTest

Trials = Callable[[], Sequence[Trial]]
"""Return the self-tests of one comparison; its name is the comparison's."""


def self_tests(asked: Asked, conformance: Conformance | None = None) -> tuple[SelfTest, ...]:
    """Return the self-tests of the comparisons that the command uses.

    ``conformance`` has the results for the files of recorded client results.
    """
    return tuple(map(tried, _trials(asked, conformance)))


def _trials(asked: Asked, conformance: Conformance | None) -> Iterator[Trial]:
    yield from verdicts.trials()
    if asked.solvers or asked.bounds:
        from rebalance_proofs.evidence.self_tests import solvers

        yield from solvers.trials()
    if asked.solvers:
        yield from verdicts.verdicts()
        yield from verdicts.evaluated()
    if asked.bounds:
        for trials in enumerating():
            yield from trials()
    if asked.vectors and conformance:
        from rebalance_proofs.evidence.self_tests import vectors

        yield from vectors.trials(asked.vectors, conformance)


def enumerating() -> tuple[Trials, ...]:
    """Return the self-tests of what every enumeration compares; they load Spark and the clients' code."""
    from rebalance_proofs.evidence.self_tests.allocations import formulas, positions, sizes
    from rebalance_proofs.evidence.self_tests.enumerated import findings, groups
    from rebalance_proofs.evidence.self_tests.transitions import calls, models, promises, singles, tables

    return (findings, positions, formulas, sizes, singles, calls, tables, models, promises, groups)
