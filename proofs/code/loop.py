"""A loop of unknown length in symbolically executed code.

Its body runs for an arbitrary iteration, once for each path through the body.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.asking import Asking
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.segments import AT, PLACE, Element, Filtered, Growing, Segment, chosen
from rebalance_proofs.proofs.code.turning import Turning

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
