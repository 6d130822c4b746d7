"""A question to the solvers, with their answers."""

from dataclasses import dataclass

from rebalance_proofs.proofs.solvers import Answer, Outcome

__all__ = ["Question"]


@dataclass(frozen=True)
class Question:
    """One SMT-LIB text and the solvers' answers to it."""

    name: str
    """Unique within its claim; the stem of the .smt2 file."""
    text: str
    answers: tuple[Answer, ...]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that all solvers agree on; None if they differ."""
        outcomes = {answer.outcome for answer in self.answers}
        return outcomes.pop() if len(outcomes) == 1 else None

    @property
    def contradictory(self) -> bool:
        """Whether one solver says sat and another unsat."""
        return {Outcome.SAT, Outcome.UNSAT} <= {answer.outcome for answer in self.answers}
