"""The checks that a command makes of itself.

They are self-tests of its comparisons, and required work, compared with its results.
"""

from collections.abc import Iterable, Sequence

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required import required
from rebalance_proofs.evidence.required.reckoned import comparers
from rebalance_proofs.evidence.self_tests.run import self_tests
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.failures import Required, SelfTest
from rebalance_proofs.spark_enum.results import Enumerated

# A self-test for every mutant of a run: the check of observed behaviour notices it.
# The checked results are those of the solvers' counterexample for the mutant.


def violation_tests(results: Iterable[ClaimResult]) -> tuple[SelfTest, ...]:
    """Return a self-test for each mutant of each proved claim."""
    return tuple(found_wrong(result.claim, mutant) for result in results for mutant in result.mutants)


def found_wrong(claim: Claim, found: MutantResult) -> SelfTest:
    """Check that the claim's check of observed behaviour finds the mutant's violation."""
    name = f"violation of {claim.id}: {found.name}"
    violation = found.violation
    if violation is None:
        return SelfTest(name, False, "the solvers found no violation by the mutant")
    (mutant,) = (one for one in claim.subjects[0].mutants if (one.name, one.sentence) == (found.name, found.sentence))
    try:
        said = _sentence(claim, mutant, violation)
    except Exception as error:
        return SelfTest(name, False, f"it raised {type(error).__name__}: {error}")
    return SelfTest(name, bool(said), said or "it reported nothing")


def _sentence(claim: Claim, mutant: Mutant, violation: Question) -> str | None:
    """Return the sentence about the mutant's violation in a solver's model.

    It is about the first model in which the check finds a violation; None if there is none. The size of the group is
    in the name of the query ``violation``.
    """
    size = [int(part) for part in violation.name.split("-")[1:]]
    models = (answer.model for answer in violation.answers if answer.outcome is Outcome.SAT)
    said = (KINDS[claim.kind].mistaken(claim, mutant, model, size) for model in models)
    return next(filter(None, said), None)


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
