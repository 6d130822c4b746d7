"""The checks that a command makes of itself.

They are self-tests of its comparisons, and required work, compared with its results.
"""

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
    """Return the self-tests of the comparisons that the command used, and its amounts of work.

    Each required amount comes with the amount found in the results.
    """
    tests = (*violation_tests(claims), *self_tests(asked, conformance))
    return tests, (*comparers(asked, tests, claims, conformance), *required(asked, claims, enumerated, conformance))
