"""A question to the solvers, with their answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.solvers import Answer, Outcome

__all__ = ["Question"]


@dataclass(frozen=True)
class Question:
    """One SMT-LIB text and the solvers' answers to it."""

    name: str
    """Unique within its claim; the stem of the .smt2 file."""
    text: str
    """Empty if a model was known, so that no solver was asked."""
    answers: tuple[Answer, ...]
    model: Mapping[str, int] | None = None
    """A model in which the question's formulas were evaluated, and are true; None if the answers alone decide."""

    @property
    def outcome(self) -> Outcome | None:
        """SAT if a model was evaluated, else the outcome that all solvers agree on; None if they differ."""
        if self.model is not None:
            return Outcome.SAT
        outcomes = {answer.outcome for answer in self.answers}
        return outcomes.pop() if len(outcomes) == 1 else None

    @property
    def contradictory(self) -> bool:
        """Whether one solver says sat and another unsat."""
        return {Outcome.SAT, Outcome.UNSAT} <= {answer.outcome for answer in self.answers}
