"""How many answers were not asked for in this run, for whoever reads a verdict or a time that rests on them."""

from collections.abc import Sequence

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.english import count

__all__ = ["kept"]


def kept(results: Sequence[ClaimResult]) -> str:
    """``12 of 14 answers KEPT``; empty when a solver was asked for each of them."""
    answers = [answer for result in results for question in result.questions for answer in question.answers]
    found = sum(answer.kept for answer in answers)
    return f"{found:,} of {count(len(answers), 'answer')} KEPT" if found else ""
