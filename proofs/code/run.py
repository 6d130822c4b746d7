"""One symbolic run of a client's code: the branches it takes, and guards of its terms."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify


class Unsupported(TypeError):
    """The code uses an operation that is undefined for symbolic values.

    No claim is made about such code.
    """


# The branches that a symbolic run takes, and those that later runs must take.


class Turning:
    """The branches of a run: a truth value for each condition, in order.

    The first ones may be prescribed.
    """

    def __init__(self, prescribed: tuple[bool, ...] = ()) -> None:
        self._prescribed = prescribed
        self.conditions: list[smt.BoolTerm] = []
        self.answers: tuple[bool, ...] = ()
        self.others: list[tuple[bool, ...]] = []
        """Beginnings of later runs: the branches up to some condition, then its other branch."""

    @property
    def literals(self) -> list[smt.BoolTerm]:
        """Return the conditions on the run's path, negated where the run decided False."""
        pairs = zip(self.conditions, self.answers, strict=True)
        return [condition if answer else smt.Not(condition) for condition, answer in pairs]

    def known(self, condition: smt.BoolTerm) -> bool | None:
        """Return the earlier decision about an equal condition; None if the condition is new."""
        for earlier, answer in zip(self.conditions, self.answers, strict=True):
            if earlier is condition:
                return answer
        return None

    def decide(
        self, condition: smt.BoolTerm, admitted: Callable[[tuple[bool, ...]], bool] = lambda answers: True
    ) -> bool | None:
        """Return the prescribed decision, or else the first decision that ``admitted`` allows.

        None if neither is allowed.
        """
        place = len(self.answers)
        if place < len(self._prescribed):
            answer = self._prescribed[place]
        else:
            possible = [answer for answer in (True, False) if admitted((*self.answers, answer))]
            if not possible:
                return None
            answer, *rest = possible
            self.others += [(*self.answers, other) for other in rest]
        self.conditions.append(condition)
        self.answers = (*self.answers, answer)
        return answer


# Interface between a symbolic value and the symbolic run that uses it.


class Asking(Protocol):
    """A run that decides conditions on unknown values, and collects guards.

    A guard is a condition without which the run's terms do not describe the code.
    """

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Choose whether the condition on unknown values is true on this path."""

    def guard(self, condition: smt.BoolTerm) -> None:
        """Record a guard: a condition without which the run's terms do not describe the code."""


# Segments of a symbolic list: terms for the positions of its queues.

AT = smt.Int("at")
"""The unknown that identifies a loop's iteration: the loop variable if its step is 1.

Otherwise the number of the iteration, from 0.
"""
PLACE = smt.Int("place")
"""The unknown for an index in a segment, from 0."""


@dataclass(frozen=True)
class Element:
    """A queue, given by its index ``place`` in mqAll or in the list of selected queues."""

    place: smt.IntTerm
    kept: bool = False

    def at(self, unknown: smt.IntTerm, value: smt.IntTerm) -> "Element":
        """Return the element with ``value`` substituted for ``unknown`` in its index."""
        return Element(smt.substitute(self.place, (unknown, value)), self.kept)


@dataclass(frozen=True)
class Segment:
    """A part of a list: ``length`` elements, one for each value of ``PLACE`` from 0 on."""

    length: smt.IntTerm
    element: Element


@dataclass(frozen=True)
class Filtered:
    """One element for each value of ``AT`` for which ``keeps`` is true, in order.

    Their number is unknown.
    """

    keeps: smt.BoolTerm
    element: Element


class Growing(Protocol):
    """A list that a loop appends to."""

    segments: list[Segment | Filtered]


def chosen(ways: Sequence[tuple[smt.BoolTerm, Element]]) -> Element | None:
    """Return the element of the path whose condition is true, as one term.

    ``ways`` has the condition and the element of each path. None if the elements are from different lists.
    """
    *others, (_, last) = ways
    if any(element.kept is not last.kept for _, element in others):
        return None
    place = last.place
    for condition, element in reversed(others):
        place = place if element.place is place else smt.If(condition, element.place, place)
    return Element(place, last.kept)


# A loop of unknown length in symbolically executed code.
# Its body runs for an arbitrary iteration, once for each path through the body.

Value = TypeVar("Value")
ONE = smt.IntVal(1)


@dataclass(frozen=True)
class Counting:
    """The values of a loop variable: ``low``, ``low + step``, ..., below ``high``.

    The step is positive.
    """

    low: smt.IntTerm
    high: smt.IntTerm
    step: smt.IntTerm

    @property
    def by_one(self) -> bool:
        """Return whether the step is 1, so that the loop variable itself identifies the iteration."""
        return self.step is ONE

    @property
    def length(self) -> smt.IntTerm:
        """Return the number of iterations."""
        left = self.high - self.low
        many = left if self.by_one else (left + self.step - 1) / self.step
        return smt.If(self.high <= self.low, 0, many)

    @property
    def within(self) -> smt.BoolTerm:
        """Return the condition that the unknown ``AT`` identifies an iteration of the loop."""
        return smt.And(self.low <= AT, AT < self.high) if self.by_one else smt.And(0 <= AT, AT < self.length)

    @property
    def value(self) -> smt.IntTerm:
        """Return the value of the loop variable in the iteration ``AT``."""
        return AT if self.by_one else self.low + AT * self.step

    @property
    def turn(self) -> smt.IntTerm:
        """Return the value of ``AT`` in the iteration with number ``PLACE`` (from 0)."""
        return self.low + PLACE if self.by_one else PLACE


class Loop:
    """The elements that a loop appends to each list, for every path through its body.

    Iterations are independent of each other. ``fragment`` ensures that the body reads no name that an earlier
    iteration has set. ``appends`` and ``reads`` ensure that no list is read while the loop appends to it.
    """

    def __init__(self, run: Asking, number: int, counting: Counting, skipped: frozenset[tuple[bool, ...]]) -> None:
        self.number = number
        self._counting = counting
        self._ways: list[tuple[smt.BoolTerm, dict[int, Element]]] = []
        self._run = run
        self._skipped = skipped
        self._turning = Turning()
        self._appended: dict[int, Element] = {}
        self._lists: dict[int, Growing] = {}
        self._read: set[int] = set()

    @property
    def answers(self) -> tuple[bool, ...]:
        """Return the branches taken so far in the current iteration: whether each condition held."""
        return self._turning.answers

    @property
    def condition(self) -> smt.BoolTerm:
        """Return the condition that the current iteration exists and has taken this path so far."""
        return smt.And(self._counting.within, *self._turning.literals)

    def turns(self, value: Value) -> Iterator[Value]:
        """Yield ``value`` once for each path through the body; then extend the lists."""
        waiting: list[tuple[bool, ...]] = [()]
        if () in self._skipped:
            raise Unsupported("a loop iteration that always raises")
        while waiting:
            self._turning, self._appended = Turning(waiting.pop()), {}
            yield value
            self._ways.append((smt.And(self._turning.literals), self._appended))
            waiting += self._turning.others
        for built in self._lists.values():
            built.segments.append(self._segment([(way, appended.get(id(built))) for way, appended in self._ways]))

    def _segment(self, ways: Sequence[tuple[smt.BoolTerm, Element | None]]) -> Segment | Filtered:
        """Return the segment that the loop appends to one list.

        ``ways`` has the condition of each path through the body, and the element that it appends. The segment has an
        element in every iteration (``Segment``), or only in some (``Filtered``).
        """
        appending = [(way, element) for way, element in ways if element]
        element = chosen(appending)
        if element is None:
            raise Unsupported("a loop that appends from two lists")
        if len(appending) == len(ways):
            return Segment(self._counting.length, element.at(AT, self._counting.turn))
        if not self._counting.by_one:
            raise Unsupported("a loop that appends only in some iterations and does not count by one")
        return Filtered(smt.And(self._counting.within, smt.Or([way for way, _ in appending])), element)

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Decide a condition as ``Run.decide`` does, but only for the current iteration."""
        known = self._turning.known(condition)
        if known is not None:
            return known
        before = self._turning.answers
        for answer in (True, False):
            if (*before, answer) in self._skipped:
                self._run.guard(smt.Not(condition) if answer else condition)
        decided = self._turning.decide(condition, lambda answers: answers not in self._skipped)
        if decided is None:
            raise Unsupported("a loop iteration that always raises")
        return decided

    def appends(self, built: Growing, element: Element) -> None:
        """Record that the current iteration appends ``element`` to the list ``built``."""
        if id(built) in self._appended:
            raise Unsupported("a loop iteration that appends twice to one list")
        self._appended[id(built)] = element
        self._lists[id(built)] = built
        self._apart()

    def reads(self, built: Growing) -> None:
        """Record that the current iteration reads the list ``built``."""
        self._read.add(id(built))
        self._apart()

    def _apart(self) -> None:
        if self._read & {*self._lists}:
            raise Unsupported("a loop that reads a list to which it appends")


Turn = tuple[int, tuple[bool, ...]]
"""An iteration: the number of its loop, and the branches taken in it."""


class Run:
    """A symbolic run along one path through the code.

    A condition on unknowns is first decided as true, and as false in a later run. ``prescribed`` are the first
    branches outside of loops. ``skipped`` are iterations in which the code raises, by the number of the loop and the
    branches taken in them: they are not entered, and a guard excludes them.
    """

    def __init__(self, prescribed: tuple[bool, ...] = (), skipped: frozenset[Turn] = frozenset()) -> None:
        self.turning = Turning(prescribed)
        self.guards: list[smt.BoolTerm] = []
        """Guards: conditions that must be true whenever the code takes this path.

        Otherwise the run's terms do not describe the code.
        """
        self.kept: list[smt.BoolTerm] = []
        """List of unknown length -> the condition that it contains a given queue of mqAll."""
        self.loop: Loop | None = None
        """The loop whose iteration is being run; None outside of loops."""
        self._skipped = skipped
        self._loops = 0

    @property
    def condition(self) -> smt.BoolTerm:
        """Return the condition under which the code takes this path."""
        return smt.And(self.turning.literals)

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Choose a branch for the condition.

        Another run, or another iteration of the loop, takes the other branch.
        """
        plain = simplify(condition)
        if smt.is_true(plain) or smt.is_false(plain):
            return smt.is_true(plain)
        known = self.turning.known(condition)
        if known is not None:
            return known
        if self.loop is None:
            return bool(self.turning.decide(condition))  # either answer is allowed
        return self.loop.decide(condition)

    def guard(self, condition: smt.BoolTerm) -> None:
        """Record a condition without which the run's terms do not describe the code.

        Inside a loop, the condition must be true in every iteration.
        """
        local = self.loop.condition if self.loop else smt.BoolVal(True)
        guard = smt.Implies(local, condition)
        if not smt.is_true(simplify(guard)):
            self.guards.append(guard)

    def enter(self, counting: Counting) -> Loop:
        """Begin a loop. Raises ``Unsupported`` inside another loop."""
        if self.loop:
            raise Unsupported("a loop of unknown length inside another")
        self._loops += 1
        skipped = frozenset(answers for number, answers in self._skipped if number == self._loops)
        self.loop = Loop(self, self._loops, counting, skipped)
        return self.loop

    def turns(self, loop: Loop, value: Value) -> Iterator[Value]:
        """Yield ``value`` once for each path through the body of the loop, then end the loop."""
        yield from loop.turns(value)
        self.loop = None
