"""A command's evidence about itself: its self-tests, and how much of the required work its results have."""

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
    """Self-tests of the comparers that the request used, and the required amounts of its work beside those found."""
    tests = (*violation_tests(claims), *self_tests(asked, conformance))
    return tests, (*comparers(asked, tests, claims, conformance), *required(asked, claims, enumerated, conformance))
