"""A question, with what answers it: solvers, or a model that was evaluated."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.solvers import Answer, Outcome

__all__ = ["Question"]


@dataclass(frozen=True)
class Question:
    """One SMT-LIB text and the solvers' answers to it; or a model, without a text, for what can be true."""

    name: str
    """Unique within its claim; the stem of the .smt2 file."""
    text: str
    """Empty if a model was known, so that no solver was asked."""
    answers: tuple[Answer, ...]
    model: Mapping[str, int] | None = None
    """A model in which the question's formulas were evaluated, and are true; None if the answers alone decide."""
    spurious: bool = False
    """Whether all models that solvers gave were evaluated, and none is one of the formulas: their sat says nothing."""

    @property
    def outcome(self) -> Outcome | None:
        """SAT if a model was evaluated, else the outcome that all solvers agree on.

        None if they differ, or if their models are none.
        """
        if self.model is not None:
            return Outcome.SAT
        if self.spurious:
            return None
        outcomes = {answer.outcome for answer in self.answers}
        return outcomes.pop() if len(outcomes) == 1 else None

    @property
    def satisfiable(self) -> bool:
        """Whether a model was evaluated, or some solver's sat counts."""
        said = any(answer.outcome is Outcome.SAT for answer in self.answers)
        return self.model is not None or (said and not self.spurious)

    @property
    def contradictory(self) -> bool:
        """Whether one solver says sat and another unsat."""
        return {Outcome.SAT, Outcome.UNSAT} <= {answer.outcome for answer in self.answers}
