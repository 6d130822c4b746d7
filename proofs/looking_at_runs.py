"""The search for a run of consumers of one queue: its shortest schedule is explored, and asked of the solvers."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size

__all__ = ["LookingAtRuns"]


class LookingAtRuns(Looking):
    """A size is the consumers, one queue, and a number of actions: the fewest, by breadth-first search."""

    consumers = 2

    @property
    @abstractmethod
    def schedule(self) -> Schedule | None:
        """The shortest; None where there is none, or none is sought."""

    @abstractmethod
    def found(self) -> Counterexample | None:
        """It, as the client's code runs it; None where the code does something else than the terms."""

    @property
    def limit(self) -> int:
        return self.consumers

    def sizes(self) -> Iterable[Size]:
        schedule = self.schedule
        return ((self.consumers, 1, len(schedule)),) if schedule else ()

    def named(self, size: Size, bound: Any = None) -> str:
        return f"actions-{size[2]}"

    async def smallest(self, size: Size) -> Counterexample | None:
        found = self.found()
        self.replays &= found is not None
        return found
