"""Search for a run with times: exploration finds the schedule, the solvers find its times."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

import numpy as np

from rebalance_proofs.model.machine.run import Happens, Schedule, times_of
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.breadth_first import Keys, Rows, caused, fresh, joined, picked, together
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.limit import earliest
from rebalance_proofs.proofs.models.evaluated import true_in
from rebalance_proofs.proofs.mutation.recorded_runs import recorded_run
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.texts import labelled_text

# Unrolling of a schedule with unknown times: constraints for all its actions, as terms.

State = TypeVar("State")
Limits = TypeVar("Limits")


@dataclass(frozen=True)
class Unrolling(Generic[State, Limits]):
    """An unrolled schedule: constraints for its actions, and the state after it."""

    constraints: dict[str, smt.BoolTerm]
    """Action in words -> the constraint that it is possible at that point of the schedule."""
    state: State
    """The state after the last action.

    With several copies (consumers), as the first copy sees it.
    """
    limits: Limits
    states: tuple[State, ...] = ()
    """The state after the last action, as each copy of the encoding sees it."""


# Search for a run that breaks a claim.
# Exploration finds a schedule of actions; the solvers then check it.


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


@dataclass(frozen=True)
class TimedRuns:
    """The functions of one kind of claims that explore, encode and run schedules."""

    around: tuple[int, int]
    """The numbers of consumers and of queues in the runs."""
    explored: Callable[[Any, Claim], Schedule | None]
    """``explored(encoding, claim)``: return the shortest schedule that breaks the claim.

    None if there is none.
    """
    reached: Callable[[Any, Claim, Schedule, Sequence[smt.IntTerm]], Unrolling[Any, Any]]
    """``reached(encoding, claim, schedule, times)``: return the schedule's unrolling as terms.

    It has the constraints on the times, and the last state.
    """
    run: Callable[[Claim, Schedule, Sequence[int]], Any]
    """``run(claim, schedule, times)``: run the schedule on the code of the claim's subject.

    Raises ``Impossible`` if the code behaves differently.
    """
    unknowns: Callable[[Schedule], Sequence[smt.IntTerm]] = times_of
    """Return the unknown times of a schedule.

    Runs without a clock have unknown limits instead.
    """
    settled: Callable[[Sequence[smt.IntTerm], Iterable[smt.BoolTerm]], Sequence[int] | None] = earliest
    """``settled(unknowns, constraints)``: return values of the unknowns to show."""

    def smallest(self, claim: Claim) -> Counterexample | None:
        """Run the shortest schedule on the code, with every action as early as possible.

        None if there is no schedule, or if the code behaves differently from the terms.
        """
        return _smallest(self, claim)

    def asked(self, claim: Claim, mutant: Mutant) -> Iterator[Schedule]:
        """Yield the schedules to try for a mutant: its recorded schedule, then the shortest one.

        A recorded schedule, which need not be the shortest, is skipped if its actions or choices no longer exist.
        """
        recorded = recorded_run(claim, mutant)
        if recorded and self._can_be_stated(mutant.encoding, claim, recorded):
            yield recorded
        shortest = self.explored(mutant.encoding, claim)
        if shortest:
            yield shortest

    def _can_be_stated(self, encoding: Any, claim: Claim, schedule: Schedule) -> bool:
        try:
            self.stated(encoding, claim, schedule)
        except (LookupError, AttributeError, TypeError):  # depends on the kind: no such action, choice, or field of it
            return False
        return True

    def stated(self, encoding: Any, claim: Claim, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
        """Return the constraints on a schedule's times, by sentences that describe them.

        The last is that the claim is broken.
        """
        return _stated(self, encoding, claim, schedule)

    def broken(self, claim: Claim, schedule: Schedule, times: Sequence[int]) -> tuple[Any, str] | None:
        """Run the code at ``times``; return the run, and a sentence on how it breaks the guarantee.

        None if the run breaks nothing, or if the code behaves differently from the encoding.
        """
        try:
            found = self.run(claim, schedule, times)
        except Impossible:
            return None
        sentence = claim.guarantee.violation(found)
        return None if sentence is None else (found, sentence)


@lru_cache(maxsize=1)  # asked for again immediately
def _stated(runs: TimedRuns, encoding: Any, claim: Claim, schedule: Schedule) -> Mapping[str, smt.BoolTerm]:
    found = runs.reached(encoding, claim, schedule, runs.unknowns(schedule))
    return found.constraints | {"the guarantee is violated": claim.guarantee.violated(found)}


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
    """A search for a run with times.

    Each kind of claims defines how its runs are explored and executed.
    """

    runs: TimedRuns
    _tried: Schedule | None = None
    """The run of the mutant that the search is about; None without a mutant."""

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


def mistaken_in(
    runs: Callable[[Claim], TimedRuns],
) -> Callable[[Claim, Mutant, Mapping[str, int], Sequence[int]], str | None]:
    """Return a function ``mistaken``, which tests claims on mutants: wrong formulas of a client.

    It returns a sentence if the mutant's run, at the times of the solver's model, violates the guarantee; otherwise
    None. ``runs(claim)``: the functions that find and encode the claim's runs.
    """

    def mistaken(claim: Claim, mutant: Mutant, model: Mapping[str, int], size: Sequence[int]) -> str | None:
        of = runs(claim)
        for schedule in of.asked(claim, mutant):
            told = of.stated(mutant.encoding, claim, schedule).values()
            if len(schedule) == size[-1] and true_in(model, list(told)):
                return f"the guarantee is violated after {len(schedule)} actions."
        return None

    return mistaken


# Breadth-first search for paths with the fewest actions, in a system with time.
#
# Waiting does not count as an action.


class Unended(RuntimeError):
    """The search reached its limit of actions before it was complete."""


class TimedExploration(ABC):
    """Breadth-first search for a path with the fewest actions.

    Each kind of claims defines the states, the actions and the target.
    """

    moves: Sequence[Happens]
    """All possible actions, except waiting."""

    @abstractmethod
    def start(self) -> Rows:
        """Return the initial state, as one row."""

    @abstractmethod
    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """Return the successors of all rows in which the action is possible.

        The second array has, for each successor, the index of the row that it comes from.
        """

    @abstractmethod
    def waits(self, rows: Rows) -> Rows:
        """Return one truth value per row: whether one tick of time can pass."""

    @abstractmethod
    def later(self, rows: Rows) -> Rows:
        """Return the states after one tick of time."""

    @abstractmethod
    def packed(self, rows: Rows) -> Keys:
        """Return each row as one number."""

    @abstractmethod
    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        """Return the index of a row, and an action by which that state reaches the target.

        None if no row has such an action.
        """

    def shortest(self, limit: int) -> list[Happens] | None:
        """Return the actions of a path with the fewest actions, last action first.

        None if the target is unreachable. Raises ``Unended`` if no path with at most ``limit`` actions exists; longer
        paths are not tried.
        """
        level = self._later(self.start(), np.full((1, 2), -2), np.zeros(0, dtype=np.int64))
        seen = np.sort(self.packed(level[0]))
        trail = [level]
        while not (last := self.ending(trail[-1][0])):
            if len(trail) > limit:
                raise Unended(f"the search did not end after {limit} actions")
            ahead = self._next(trail[-1][0])
            rows, _, places = fresh([after for after, _ in ahead], self.packed, seen)
            level = self._later(rows, caused([origin for _, origin in ahead], places), seen)
            if not len(level[0]):
                return None
            trail.append(level)
            seen = together(seen, self.packed(level[0]))
        return [last[1], *self._back(trail, last[0])]

    def _next(self, rows: Rows) -> Sequence[tuple[Rows, Rows]]:
        """Return the successors of ``rows`` by each action, as ``after`` does."""
        return [self.after(rows, happens) for happens in self.moves]

    def _later(self, rows: Rows, cause: Rows, seen: Keys) -> tuple[Rows, Rows]:
        """Add all states that are reachable from ``rows`` by waiting alone.

        In ``cause``, -1 marks a state one tick after the row before it.
        """
        seen = together(seen, self.packed(rows))
        begin = 0
        while begin < len(rows):
            here = np.arange(begin, len(rows))
            here = here[self.waits(picked(rows, here))]
            later = self.later(picked(rows, here))
            more, keys, places = fresh([later], self.packed, seen)
            seen = together(seen, keys)
            ticks = np.column_stack([here[places], np.full(len(places), -1)])
            begin = len(rows)
            rows, cause = joined([rows, more]), np.concatenate([cause, ticks])
        return rows, cause

    def _back(self, trail: Sequence[tuple[Rows, Rows]], at: int) -> list[Happens]:
        found = []
        for _rows, cause in reversed(trail[1:]):
            while cause[at][1] == -1:
                at = int(cause[at][0])
            found.append(self.moves[int(cause[at][1])])
            at = int(cause[at][0])
        return found
