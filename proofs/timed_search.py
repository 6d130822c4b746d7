"""Search for a run in time: exploration gives the schedule, the solvers give its times."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
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

    def asked(self, claim: Claim, mutant: Mutant) -> Iterator[Schedule]:
        """The schedules that are asked about for a mutant: its recorded one, which need not be the shortest, if its
        actions and choices are still there; then the shortest, if there is one."""
        recorded = recorded_run(claim, mutant)
        if recorded and self._can_be_stated(mutant.encoding, claim, recorded):
            yield recorded
        shortest = self.explored(mutant.encoding, claim)
        if shortest:
            yield shortest

    def _can_be_stated(self, encoding: Any, claim: Claim, schedule: Schedule) -> bool:
        try:
            self.stated(encoding, claim, schedule)
        except (LookupError, AttributeError, TypeError):  # by the kind: no such action, choice, or field of it
            return False
        return True

    def stated(self, encoding: Any, claim: Claim, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
        """The constraints on a schedule's times, by their sentences; the last one says that it breaks the claim."""
        return _stated(self, encoding, claim, schedule)

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


@lru_cache(maxsize=1)  # asked for again at once
def _stated(runs: TimedRuns, encoding: Any, claim: Claim, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
    found = runs.reached(encoding, claim, schedule, runs.unknowns(schedule))
    return found.constraints | {"it is violated": claim.guarantee.violated(found)}


@cache
def _smallest(runs: TimedRuns, claim: Claim) -> Counterexample | None:
    encoding = claim.subjects[0].encoding
    schedule = runs.explored(encoding, claim)
    if schedule is None:
        return None
    unknowns = runs.unknowns(schedule)
    found = runs.reached(encoding, claim, schedule, unknowns)
    times = runs.settled(unknowns, (*found.constraints.values(), claim.guarantee.violated(found)))
    if times is None:
        return None
    broken = runs.broken(claim, schedule, times)
    if broken is None:
        return None
    shown, sentence = broken
    return Counterexample(*runs.around, tuple(times), shown, sentence, len(schedule))


class LookingAtTimedRuns(LookingAtRuns):
    """A search in time; each kind of claims says how its runs are explored and run."""

    runs: TimedRuns
    _tried: Schedule | None = None
    """The run of a mutant that is asked about."""

    @property
    def schedule(self) -> Schedule | None:
        return self._tried or self.runs.explored(self.encodings[0], self.claim)

    def sizes(self) -> Iterable[Size]:
        if self.wrong is None:
            yield from super().sizes()
            return
        for schedule in self.runs.asked(self.claim, self.wrong):
            self._tried = schedule
            yield (*self.around, len(schedule))

    def found(self) -> Counterexample | None:
        return self.runs.smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
        return self.runs.stated(self.encodings[0], self.claim, schedule)

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        schedule = self.schedule
        assert schedule is not None
        times = [model.get(str(time), 0) for time in self.runs.unknowns(schedule)]
        self.replays &= self.runs.broken(self.claim, schedule, times) is not None
