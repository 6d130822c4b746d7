"""The search for a run: its shortest schedule is explored, and asked of the solvers."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

import z3

from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.texts import labelled_text

__all__ = ["LookingAtRuns"]


class LookingAtRuns(Looking):
    """A size is ``around``, and a number of actions: the fewest, by breadth-first search."""

    around = (2, 1)
    """So many consumers, and so many queues."""

    @property
    @abstractmethod
    def schedule(self) -> Schedule | None:
        """The shortest; None where there is none, or none is sought."""

    @abstractmethod
    def found(self) -> Counterexample | None:
        """It, as the client's code runs it; None where the code does something else than the terms."""

    @abstractmethod
    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        """What is asked of it, in words; what breaks the claim comes last."""

    @property
    def limit(self) -> int:
        return self.around[0]

    def sizes(self) -> Iterable[Size]:
        schedule = self.schedule
        return ((*self.around, len(schedule)),) if schedule else ()

    def named(self, size: Size, bound: Any = None) -> str:
        return f"actions-{size[2]}"

    def text(self, size: Size, bound: Any = None) -> str:
        schedule = self.schedule
        assert schedule
        title = f"{self.title} / {size[2]} actions\n{self.claim.guarantee.sentence}: sat = violated"
        return labelled_text(title, self.constraints(schedule))

    async def smallest(self, size: Size) -> Counterexample | None:
        found = self.found()
        self.replays &= found is not None
        return found
