"""Search for a run that breaks a claim.

Exploration finds a schedule of actions; the solvers then check it.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from rebalance_proofs.model.machine.happens import Schedule
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.texts import labelled_text


class LookingAtRuns(Looking):
    """A search for a run, whose size is ``around`` and the length of the shortest schedule."""

    around: tuple[int, int]
    """The numbers of consumers and of queues, as the first parts of the search's size."""

    @property
    @abstractmethod
    def schedule(self) -> Schedule | None:
        """Return the shortest schedule that breaks the claim.

        None if there is none, or if the search does not look for one.
        """

    @abstractmethod
    def found(self) -> Counterexample | None:
        """Return the counterexample that running the schedule on the client's code gives.

        None if the code behaves differently from the encoding.
        """

    @abstractmethod
    def constraints(self, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
        """Return the constraints on the schedule, by sentences that describe them.

        The last one is that the claim is broken.
        """

    def explored(self) -> Schedule:
        return self.schedule or ()

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
