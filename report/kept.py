"""Count of solver answers that were kept from earlier runs, shown beside verdicts and times that rest on them."""

from collections.abc import Sequence

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.english import count

__all__ = ["kept"]


def kept(results: Sequence[ClaimResult]) -> str:
    """The count in words: ``12 of 14 answers KEPT``; empty when all answers are this run's own."""
    answers = [answer for result in results for question in result.questions for answer in question.answers]
    found = sum(answer.kept for answer in answers)
    return f"{found:,} of {count(len(answers), 'answer')} KEPT" if found else ""
