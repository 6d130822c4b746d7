"""The claims of a run that do not hold, the worst first: the one with which a page begins."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.played import played
from rebalance_proofs.report.subjects import releases_of
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.of_claims import Part, roles

__all__ = ["worst"]

SEVERITY = (Symptom.LOST, Symptom.TWICE, Symptom.STUCK, Symptom.BACK, Symptom.TILTED)
"""What users see, the worst first: a lost message does not come again, one that is read twice does."""


def worst(results: Sequence[ClaimResult]) -> list[ClaimResult]:
    """Claims whose counterexample can be played: first what is not as expected, then what fails under all premises.

    Of these the worse symptom comes first, then the one of more releases, then the shorter run.
    """
    found = [(key, result) for result in results if (key := _key(result)) is not None]
    return [result for _, result in sorted(found, key=lambda one: one[0])]


def _key(result: ClaimResult) -> tuple[bool, bool, int, int, int] | None:
    example = result.search.counterexample if result.search else None
    run = played(result.claim, example) if example else None
    if run is None or result.verdict is Verdict.PROVED:
        return None
    seen = [SEVERITY.index(one.effect.symptom) for one in roles(result.claim.id) if one.part is Part.SHOWS]
    return (
        not failures(result),
        result.claim.world.dropped,
        min(seen, default=len(SEVERITY)),
        -len(releases_of(result.claim)),
        len(run.steps),
    )
