"""What a command says about itself at its end: its self-tests, and how much of the required work is there."""

from collections.abc import Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required import required
from rebalance_proofs.evidence.required.comparers import comparers
from rebalance_proofs.evidence.self_tests import self_tests
from rebalance_proofs.evidence.violations import violation_tests
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import Conformance
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.spark_enum.results import Enumerated


def gathered(
    asked: Asked,
    claims: Sequence[ClaimResult] = (),
    enumerated: Enumerated | None = None,
    conformance: Conformance | None = None,
) -> tuple[tuple[SelfTest, ...], tuple[Required, ...]]:
    """Of what was asked: tries the comparers that it used, and reckons how much there has to be of it."""
    tests = (*violation_tests(claims), *self_tests(asked, conformance))
    return tests, (*comparers(asked, tests), *required(asked, claims, enumerated, conformance))
