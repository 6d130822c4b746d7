"""A solver query, and its answer: from solvers, or from a model that was evaluated."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.solvers import Answer, Outcome


@dataclass(frozen=True)
class Question:
    """A query: one SMT-LIB text and the solvers' answers, or a recorded model.

    The model makes the query's formulas true, so that no solver is needed.
    """

    name: str
    """Name of the query, unique within its claim; also names its .smt2 file."""
    text: str
    """The SMT-LIB text; empty if a recorded model answered the query without a solver."""
    answers: tuple[Answer, ...]
    model: Mapping[str, int] | None = None
    """A model in which the query's formulas were evaluated and are true.

    None if only the solvers' answers decide.
    """
    spurious: bool = False
    """Whether every model of the solvers makes some formula false when evaluated.

    Then their sat proves nothing.
    """

    @property
    def outcome(self) -> Outcome | None:
        """SAT if a model was evaluated, else the outcome that all solvers agree on.

        None if the solvers differ, or if their models are spurious.
        """
        if self.model is not None:
            return Outcome.SAT
        if self.spurious:
            return None
        outcomes = {answer.outcome for answer in self.answers}
        return outcomes.pop() if len(outcomes) == 1 else None

    @property
    def satisfiable(self) -> bool:
        """Return whether the formulas can be true: by an evaluated model, or a solver's sat."""
        said = any(answer.outcome is Outcome.SAT for answer in self.answers)
        return self.model is not None or (said and not self.spurious)

    @property
    def contradictory(self) -> bool:
        """Return whether one solver answers sat and another unsat."""
        return {Outcome.SAT, Outcome.UNSAT} <= {answer.outcome for answer in self.answers}
