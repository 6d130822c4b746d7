"""A command's checks of itself: self-tests, and the required work found in its results."""

from collections.abc import Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required import required
from rebalance_proofs.evidence.required.comparers import comparers
from rebalance_proofs.evidence.self_tests import self_tests
from rebalance_proofs.evidence.violations import violation_tests
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.records import Conformance
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.spark_enum.results import Enumerated


def gathered(
    asked: Asked,
    claims: Sequence[ClaimResult] = (),
    enumerated: Enumerated | None = None,
    conformance: Conformance | None = None,
) -> tuple[tuple[SelfTest, ...], tuple[Required, ...]]:
    """Return the self-tests of the comparison code in use, and the required and found amounts of work."""
    tests = (*violation_tests(claims), *self_tests(asked, conformance))
    return tests, (*comparers(asked, tests, claims, conformance), *required(asked, claims, enumerated, conformance))
