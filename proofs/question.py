"""One question and its answers."""

from dataclasses import dataclass

from rebalance_proofs.proofs.solvers import Answer, Outcome

__all__ = ["Question"]


@dataclass(frozen=True)
class Question:
    """One SMT-LIB text and what the solvers said to it."""

    name: str
    """Unique within its claim; the stem of the .smt2 file."""
    text: str
    answers: tuple[Answer, ...]

    @property
    def outcome(self) -> Outcome | None:
        """What all solvers answered; None when they differ."""
        outcomes = {answer.outcome for answer in self.answers}
        return outcomes.pop() if len(outcomes) == 1 else None

    @property
    def contradictory(self) -> bool:
        """One solver says sat, another unsat."""
        return {Outcome.SAT, Outcome.UNSAT} <= {answer.outcome for answer in self.answers}
