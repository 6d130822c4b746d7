"""How wide an obligation turned out to be."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.question import Question


@dataclass(frozen=True)
class Width:
    """What the premises of an obligation leave open."""

    met: tuple[str, ...]
    """Goals that a model of the premises meets; each model was replayed."""
    excluded: Mapping[str, str]
    """Goals that all solvers say no model meets, and the reason that is pinned for each; empty where none is."""
    open: tuple[str, ...]
    """Goals of which nobody knows: a solver gave up, or a model did not replay."""
    question: Question
    """The premises and every goal, at the last of the sizes; the answers are to the question whether one more is met.

    Sat where all are met, with the last model.
    """
    sizes: tuple[Mapping[str, int], ...]
    """The numbers of queues and consumers that were drawn and asked about, as far as the obligation speaks of them."""

    @property
    def wide(self) -> bool:
        """Nothing is excluded but what is pinned, and nothing is left open."""
        return not self.open and all(self.excluded.values())

    @property
    def narrower(self) -> tuple[str, ...]:
        """What speaks against it: goals that are excluded without a reason, or that nobody knows of."""
        return (*(goal for goal, reason in self.excluded.items() if not reason), *self.open)
