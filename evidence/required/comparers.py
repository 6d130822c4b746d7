"""Which self-tests a run has to have, reckoned apart from the loop that makes them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.report.evidence import Required, SelfTest

__all__ = ["comparers"]

ALWAYS = {"records": 23}
ANSWERS = {"solvers": 6}
PROOFS = {"verdicts": 13}
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
"""Self-tests by comparer, whose name each of them begins with. A file of recorded results has at least one."""


def comparers(asked: Asked, tests: Sequence[SelfTest]) -> Iterator[Required]:
    """By what was asked."""
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
    if asked.vectors:
        yield Required("recorded results have self-tests", "yes", "yes" if found["vectors"] else "no")
