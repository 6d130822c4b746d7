"""One path through a client's code, at given values, for comparison with an encoding."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import TypeVar

from rebalance_proofs.model.allocation.machine_room import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.code.explore import Inputs, Path, explore
from rebalance_proofs.proofs.code.run import PLACE, Element, Filtered, Segment, Unsupported
from rebalance_proofs.proofs.code.source import Code
from rebalance_proofs.proofs.obligation import consumer

# The code of a strategy, its symbolic inputs, and the paths through it.


@dataclass(frozen=True)
class Subject:
    """The code of one strategy, and its symbolic inputs."""

    code: Code
    inputs: Inputs
    reads: bool | None = False
    """The list that the result refers to: selected queues (True), mqAll (False), or both (None)."""

    @property
    def rooms(self) -> bool:
        """Return whether the code first selects some of mqAll's queues and divides only these.

        MACHINE_ROOM strategies do.
        """
        return bool(self.inputs.kept)

    @property
    def unknowns(self) -> tuple[str, ...]:
        """Return the names of the unknowns in a path's condition, without ``listed``."""
        return ("q", "c", "i", *(("m",) if self.rooms else ()))


@cache
def paths(subject: Subject) -> tuple[Path, ...]:
    """Return all paths through the code.

    Raises ``Unsupported`` for code that cannot be analysed.
    """
    return explore(subject.code, subject.inputs)


def listed(subject: Subject) -> tuple[int, ...]:
    """Return the indexes of the paths that compute the result of a consumer in cidAll."""
    absent = smt.Not(smt.Int("listed") == 1)
    return tuple(
        number
        for number, path in enumerate(paths(subject))
        if not path.raises and not any(absent is literal for literal in path.condition.children)
    )


def premises(subject: Subject, v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumptions that queues and consumers exist, and that i is a consumer.

    If the code selects queues first, q of m queues are selected.
    """
    found = {"at least one consumer": v.c >= 1} | consumer(v, "i")
    if subject.rooms:
        return {"at least one queue": v.m >= 1, "q of them are selected": smt.And(0 <= v.q, v.q <= v.m)} | found
    return {"at least one queue": v.q >= 1} | found


Term = TypeVar("Term", bound=smt.Term)

LISTED = ((smt.Int("named"), smt.IntVal(1)), (smt.Int("listed"), smt.IntVal(1)))
"""Values of the unknowns for a consumer whose id is not empty and is in cidAll."""


@dataclass(frozen=True)
class Taken:
    """The result that the code computes on one path for a consumer in cidAll.

    ``v`` has the values (terms) of the path's unknowns.
    """

    path: Path
    v: SimpleNamespace

    def term(self, found: Term) -> Term:
        """Return a term of the path, with the values in ``v`` substituted for its unknowns."""
        return smt.substitute(found, *LISTED, *((smt.Int(name), value) for name, value in vars(self.v).items()))

    @property
    def condition(self) -> smt.BoolTerm:
        """Return the condition that the code takes this path."""
        return self.term(self.path.condition)

    @property
    def guarded(self) -> smt.BoolTerm:
        """Return the condition that the path's terms describe the code."""
        return smt.And([self.term(guard) for guard in self.path.guards])

    @property
    def filtered(self) -> Filtered | None:
        """Return the loop that builds the whole result by appending in some iterations.

        None if there is none. Raises ``Unsupported`` if such a loop builds only a part of the result.
        """
        found = [segment for segment in self.path.segments if isinstance(segment, Filtered)]
        if found and len(self.path.segments) > 1:
            raise Unsupported("a loop that appends only in some iterations and builds only a part of the result")
        return found[0] if found else None

    @property
    def _loop(self) -> Filtered:
        if self.filtered is None:
            raise ValueError("there is no loop that appends only in some iterations")
        return self.filtered

    def keeps(self, turn: smt.IntTerm) -> smt.BoolTerm:
        """Return the condition that the loop has the iteration ``turn`` and appends in it."""
        return self.term(smt.substitute(self._loop.keeps, (smt.Int("at"), turn)))

    def appended(self, turn: smt.IntTerm) -> smt.IntTerm:
        """Return the position of mqAll that the loop appends in the iteration ``turn``."""
        return self.term(self._loop.element.at(smt.Int("at"), turn).place)

    @property
    def length(self) -> smt.IntTerm:
        """Return the length of a result that is made of ``Segment`` objects only."""
        return self.term(smt.Sum([segment.length for segment in self._whole]))

    @property
    def _whole(self) -> list[Segment]:
        found = [segment for segment in self.path.segments if isinstance(segment, Segment)]
        if len(found) < len(self.path.segments):
            raise ValueError("the number of elements is unknown: a loop appends only in some iterations")
        return found

    def at(self, k: smt.IntTerm) -> Iterator[tuple[smt.BoolTerm, Element]]:
        """Yield for each segment the condition that it contains the k-th element, and that element."""
        before: smt.IntTerm = smt.IntVal(0)
        for segment in self._segments():
            behind = before + segment.length
            yield smt.And(before <= k, k < behind), segment.element.at(PLACE, k - before)
            before = behind

    def _segments(self) -> Iterator[Segment]:
        for segment in self._whole:
            element = Element(self.term(segment.element.place), segment.element.kept)
            yield Segment(simplify(self.term(segment.length)), element)

    def is_at(self, k: smt.IntTerm, place: smt.IntTerm, kept: bool | None) -> smt.BoolTerm:
        """Return the condition that the k-th element of the result has the index ``place``.

        ``kept``: the index is in the selected queues (True), in mqAll (False), or in either (None).
        """
        found = [
            smt.And(inside, element.place == place) for inside, element in self.at(k) if kept in (None, element.kept)
        ]
        return smt.Or(found)


def takes(e: Encoding, v: SimpleNamespace, element: Element) -> smt.BoolTerm:
    """Return the condition that the encoding gives consumer i the element.

    For a position of mqAll, only two facts are known: r selected queues come before it, and ``kept`` is true if it is
    selected itself. For the selected queue of some rank, only its position p is known.
    """
    if not isinstance(e, RoomEncoding):
        return e.owns(v.q, v.c, v.i, element.place)
    if element.kept:
        allowed = e.takes(v.q, v.c, v.i, v.p, smt.BoolVal(True), element.place)
        return smt.Implies(element.place <= v.p, allowed)
    allowed = e.takes(v.q, v.c, v.i, element.place, v.kept == 1, v.r)
    return smt.Implies(smt.And(v.r <= element.place, v.r + v.kept <= v.q), allowed)
