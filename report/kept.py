"""Count solver answers that were reused from earlier runs."""

from collections.abc import Sequence

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.english import count


def kept(results: Sequence[ClaimResult]) -> str:
    """Return the number of reused answers: ``12 of 14 answers KEPT``; empty if there are none."""
    answers = [answer for result in results for question in result.questions for answer in question.answers]
    found = sum(answer.kept for answer in answers)
    return f"{found:,} of {count(len(answers), 'answer')} KEPT" if found else ""
