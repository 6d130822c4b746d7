"""Required numbers of self-tests of a run, computed apart from the loop that creates them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.evidence import Required, SelfTest

ALWAYS = {"records": 23}
ANSWERS = {"solvers": 6}
PROOFS = {"verdicts": 13, "evaluated": 5}
ENUMERATION = {
    "positions": 4,
    "formulas": 10,
    "sizes": 3,
    "singles": 5,
    "calls": 4,
    "tables": 5,
    "models": 6,
    "promises": 5,
    "groups": 5,
}
"""Name of a comparison in an enumeration -> its number of self-tests.

The names of the self-tests begin with the name of the comparison.
"""
ROWS = 3
"""Number of self-tests of the comparison with recorded results, besides one for each file."""


def comparers(
    asked: Asked,
    tests: Sequence[SelfTest],
    claims: Sequence[ClaimResult] = (),
    conformance: Conformance | None = None,
) -> Iterator[Required]:
    """Yield the required numbers of self-tests.

    They follow from the request, the tried mutants, and the files of recorded results. If a file has disagreements,
    the run fails, and the files of its format have no self-tests.
    """
    found = Counter(test.name.partition(":")[0] for test in tests)
    wanted = dict(ALWAYS)
    if asked.solvers or asked.bounds:
        wanted |= ANSWERS
    if asked.solvers:
        wanted |= PROOFS
    if asked.bounds:
        wanted |= ENUMERATION
    for comparer, many in wanted.items():
        yield Required(f"self-tests of {comparer}", many, found[comparer])
    if asked.solvers:
        mutants = sum(len(result.mutants) for result in claims)
        yield Required(
            "self-tests of violations", mutants, sum(test.name.startswith("violation of ") for test in tests)
        )
    if asked.vectors and conformance and conformance.green:
        files = sum(report.checks > 0 for report in conformance.files)
        yield Required("self-tests of vectors", ROWS + files, found["vectors"])
    elif asked.vectors:
        yield Required("recorded results have self-tests", "yes", "yes" if found["vectors"] else "no")
