"""Symbolic lists of unknown length: those that the client is given, and those that it builds."""

from collections.abc import Iterator, Sequence, Sized
from typing import NoReturn

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.loop import ONE, Counting
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.segments import AT, Element, Filtered, Segment
from rebalance_proofs.proofs.code.terms import Number, Silent, Truth, term

__all__ = ["Built", "Given", "Ids", "Own", "length"]


class _Unknown(Silent):
    """A list whose length is a term."""

    WHAT = "a list of unknown length"

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def length(self) -> smt.IntTerm:
        raise NotImplementedError

    def __bool__(self) -> bool:
        return bool(Truth(self.run, self.length > 0))

    def __len__(self) -> NoReturn:
        raise Unsupported("the length of a list of unknown length, asked for by Python itself")

    def append(self, queue: object) -> None:
        """Only lists that begin empty can be appended to."""
        raise Unsupported("appending to a list that does not begin as []")

    def _place(self, index: object) -> smt.IntTerm:
        """The index as a term, guarded to lie inside the list; other indexes are not covered."""
        place = term(index)
        self.run.guard(smt.And(0 <= place, place < self.length))
        return place


class Given(_Unknown):
    """mqAll. ``names`` are the possible broker names of each queue; the unknown ``kind`` selects one."""

    WHAT = "mqAll or a copy of it"

    def __init__(self, run: Run, many: smt.IntTerm, names: Sequence[str] = ()) -> None:
        super().__init__(run)
        self._many, self._names = many, names

    @property
    def length(self) -> smt.IntTerm:
        return self._many

    def __getitem__(self, index: object) -> "Queue":
        return Queue(self.run, Element(self._place(index)), ())

    def __iter__(self) -> Iterator["Queue"]:
        loop = self.run.enter(Counting(smt.IntVal(0), self._many, ONE))
        return self.run.turns(loop, Queue(self.run, Element(AT), self._names))


KIND = smt.Int("kind")
"""The index of the broker's name, for the queue of the current iteration."""


class Queue(Silent):
    """A queue: its position, and the possible names of its broker if it is the queue of the current iteration."""

    WHAT = "a queue"

    def __init__(self, run: Run, element: Element, names: Sequence[str]) -> None:
        self.element = element
        self._run, self._names = run, names

    @property
    def broker_name(self) -> str:
        """One of the broker names; each is tried in some run."""
        if not self._names:
            raise Unsupported("the name of a broker of a queue that is not the one whose turn it is")
        for number, name in enumerate(self._names[:-1]):
            if self._run.decide(KIND == number):
                return name
        return self._names[-1]


class Own(Silent):
    """The consumer's own id, which may be empty."""

    WHAT = "the consumer's own id"

    def __init__(self, run: Run) -> None:
        self._run = run

    def __bool__(self) -> bool:
        return self._run.decide(smt.Int("named") == 1)


class Ids(_Unknown):
    """cidAll: c ids, with the consumer's own at index i if it is listed."""

    LISTED = smt.Int("listed") == 1

    @property
    def length(self) -> smt.IntTerm:
        return smt.Int("c")

    def __contains__(self, sought: object) -> bool:
        self._own(sought)
        return self.run.decide(self.LISTED)

    def index(self, sought: object) -> Number:
        """The first place of the own id, guarded by its being listed."""
        self._own(sought)
        self.run.guard(self.LISTED)
        return Number(self.run, smt.Int("i"))

    @staticmethod
    def _own(sought: object) -> None:
        if not isinstance(sought, Own):
            raise Unsupported("looking for anything but the consumer's own id")

    def __iter__(self) -> NoReturn:
        raise Unsupported("going through the ids")


class Built(_Unknown):
    """A list that the code builds by ``[]`` and ``append``, as segments end to end."""

    def __init__(self, run: Run, kept: str = "") -> None:
        super().__init__(run)
        if run.loop:
            raise Unsupported("a list that is made in a turn of a loop")
        self.segments: list[Segment | Filtered] = []
        self._kept = kept

    def append(self, queue: object) -> None:
        """Append a queue. Raises ``Unsupported`` for anything else."""
        if not isinstance(queue, Queue):
            raise Unsupported(f"a {type(queue).__name__} in the result")
        if self.run.loop:
            self.run.loop.appends(self, queue.element)
        else:
            self.segments.append(Segment(smt.IntVal(1), queue.element))

    @property
    def length(self) -> smt.IntTerm:
        self._read()
        whole = [segment for segment in self.segments if isinstance(segment, Segment)]
        if len(whole) < len(self.segments):
            self.run.kept.append(self._picked().keeps)
            return smt.Int(self._kept)
        return smt.Sum([segment.length for segment in whole])

    def __getitem__(self, index: object) -> Queue:
        self._read()
        place = self._place(index)
        self._picked()
        return Queue(self.run, Element(place, kept=True), ())

    def _picked(self) -> Filtered:
        """The only segment of a list that keeps some of mqAll's queues as they are; ``kept`` names the list's length.

        Raises ``Unsupported`` for other lists.
        """
        only = self.segments[0] if len(self.segments) == 1 else None
        if isinstance(only, Filtered) and only.element.place is AT and not only.element.kept and self._kept:
            return only
        raise Unsupported("reading a list other than one of some of mqAll's queues")

    def _read(self) -> None:
        if self.run.loop:
            self.run.loop.reads(self)

    def __iter__(self) -> NoReturn:
        raise Unsupported("going through a list that the code made")


def length(value: Sized) -> Number | int:
    """``len`` for the code: a symbolic number if the list is of unknown length."""
    return Number(value.run, value.length) if isinstance(value, _Unknown) else len(value)
