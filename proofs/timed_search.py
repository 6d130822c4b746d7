"""Search for a run in time: exploration gives the schedule, the solvers give its times."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.earliest import earliest
from rebalance_proofs.proofs.happens import Schedule, times_of
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.mutation.recorded_runs import recorded_run
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size
from rebalance_proofs.proofs.unrolling import Unrolling

__all__ = ["LookingAtTimedRuns", "TimedRuns"]


@dataclass(frozen=True)
class TimedRuns:
    """How one kind of claims explores schedules, states them as terms, and runs them."""

    around: tuple[int, int]
    """The numbers of consumers and of queues."""
    explored: Callable[[Any, Claim], Schedule | None]
    """``explored(encoding, claim)``: the shortest schedule that breaks the claim; None if there is none."""
    reached: Callable[[Any, Claim, Schedule, Sequence[smt.IntTerm]], Unrolling[Any, Any]]
    """``reached(encoding, claim, schedule, times)``: the unrolling of the schedule as terms, at those times."""
    run: Callable[[Claim, Schedule, Sequence[int]], Any]
    """``run(claim, schedule, times)``: what the code of the claim's subject does.

    Raises ``Impossible`` if the code does something else.
    """
    unknowns: Callable[[Schedule], Sequence[smt.IntTerm]] = times_of
    """The unknown times of a schedule; for runs without a clock, their unknown limits."""
    settled: Callable[[Sequence[smt.IntTerm], Iterable[smt.BoolTerm]], Sequence[int] | None] = earliest
    """``settled(unknowns, constraints)``: the values shown in the counterexample."""

    def smallest(self, claim: Claim) -> Counterexample | None:
        """The shortest schedule as the code runs it, with every action as early as possible.

        None if there is none, or if the code does something else than the terms.
        """
        return _smallest(self, claim)

    def broken(self, claim: Claim, schedule: Schedule, times: Sequence[int]) -> tuple[Any, str] | None:
        """What the code does at those times, and how that breaks the guarantee.

        None if it breaks nothing, or if the code does something else than the terms.
        """
        try:
            found = self.run(claim, schedule, times)
        except Impossible:
            return None
        sentence = claim.guarantee.violation(found)
        return None if sentence is None else (found, sentence)


@cache
def _smallest(runs: TimedRuns, claim: Claim) -> Counterexample | None:
    encoding = claim.subjects[0].encoding
    schedule = runs.explored(encoding, claim)
    if schedule is None:
        return None
    unknowns = runs.unknowns(schedule)
    found = runs.reached(encoding, claim, schedule, unknowns)
    times = runs.settled(unknowns, (*found.constraints.values(), claim.guarantee.violated(found)))
    broken = None if times is None else runs.broken(claim, schedule, times)
    if times is None or broken is None:
        return None
    shown, sentence = broken
    return Counterexample(*runs.around, tuple(times), shown, sentence, len(schedule))


class LookingAtTimedRuns(LookingAtRuns):
    """A search in time; each kind of claims says how its runs are explored and run."""

    runs: TimedRuns
    _tried: Schedule | None = None
    """A recorded run that is asked about; None for one that is explored."""
    _stated: tuple[Schedule, Mapping[str, smt.BoolTerm]] | None = None
    """The schedule that was stated last, and its constraints."""

    @property
    def schedule(self) -> Schedule | None:
        return self._tried or self.runs.explored(self.encodings[0], self.claim)

    def sizes(self) -> Iterable[Size]:
        """The size of a mutant's recorded run, which need not be the shortest; then that of the shortest."""
        self._tried = recorded_run(self.claim, self.wrong) if self.wrong else None
        if self._tried and self._can_be_stated(self._tried):
            yield (*self.around, len(self._tried))
        self._tried = None
        yield from super().sizes()

    def _can_be_stated(self, schedule: Schedule) -> bool:
        """Whether there are still all the actions of a recorded run, with the same choices."""
        try:
            self.constraints(schedule)
        except (LookupError, AttributeError, TypeError):  # by the kind: no such action, choice, or field of it
            return False
        return True

    def found(self) -> Counterexample | None:
        return self.runs.smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
        if self._stated is None or self._stated[0] != schedule:
            found = self.runs.reached(self.encodings[0], self.claim, schedule, self.runs.unknowns(schedule))
            said = found.constraints | {"it is violated": self.claim.guarantee.violated(found)}
            self._stated = schedule, said
        return self._stated[1]

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        schedule = self.schedule
        assert schedule is not None
        times = [model.get(str(time), 0) for time in self.runs.unknowns(schedule)]
        self.replays &= self.runs.broken(self.claim, schedule, times) is not None
