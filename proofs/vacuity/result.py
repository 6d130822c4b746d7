"""Result of the vacuity check of an obligation."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.question import Question


@dataclass(frozen=True)
class VacuityCheck:
    """The goals (required cases) that the assumptions of an obligation allow and exclude."""

    met: tuple[str, ...]
    """Goals that a model of the assumptions meets; the client's code confirmed each model."""
    excluded: Mapping[str, str]
    """Goals that no model meets, according to all solvers -> why they may be excluded.

    Empty if there is no reason.
    """
    open: tuple[str, ...]
    """Undecided goals: a solver gave up, or the code did not confirm a model."""
    question: Question
    """The query with the assumptions and all goals, at the last size.

    Its answers decide whether one more goal can be met. Sat if all goals are met, with the last model.
    """
    sizes: tuple[Mapping[str, int], ...]
    """The random numbers of queues and consumers that were tried.

    Only variables of the obligation have numbers.
    """

    @property
    def wide(self) -> bool:
        """Return whether all excluded goals have a reason, and no goal is undecided."""
        return not self.open and all(self.excluded.values())

    @property
    def narrower(self) -> tuple[str, ...]:
        """Return the goals that are undecided, or excluded without a reason."""
        return (*(goal for goal, reason in self.excluded.items() if not reason), *self.open)
