"""Symbolic lists of unknown length: the client's inputs, and the lists that its code builds."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from functools import partial
from typing import Any, NoReturn

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.run import AT, ONE, Counting, Element, Filtered, Run, Segment, Unsupported
from rebalance_proofs.proofs.code.terms import Number, Silent, Truth, term


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
        raise Unsupported("len() of a list of unknown length, called by Python itself")

    def append(self, queue: object) -> None:
        """Reject the call: the code may append only to a list that it created empty."""
        raise Unsupported("appending to a list that was not created as []")

    def _place(self, index: object) -> smt.IntTerm:
        """Return the index as a term, with a guard that it is inside the list.

        Other indexes raise in the real code, and are not covered.
        """
        place = term(index)
        self.run.guard(smt.And(0 <= place, place < self.length))
        return place


class Given(_Unknown):
    """mqAll as a symbolic list.

    ``names`` are possible broker names of a queue; the unknown ``kind`` selects one.
    """

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
    """A queue: its position and, for the current iteration, the possible broker names."""

    WHAT = "a queue"

    def __init__(self, run: Run, element: Element, names: Sequence[str]) -> None:
        self.element = element
        self._run, self._names = run, names

    @property
    def broker_name(self) -> str:
        """Return the broker name of the queue in this run; other runs choose the other names."""
        if not self._names:
            raise Unsupported("the broker name of a queue other than that of the current iteration")
        for number, name in enumerate(self._names[:-1]):
            if self._run.decide(KIND == number):
                return name
        return self._names[-1]


class Own(Silent):
    """The consumer's own client id, which may be empty."""

    WHAT = "the consumer's own id"

    def __init__(self, run: Run) -> None:
        self._run = run

    def __bool__(self) -> bool:
        return self._run.decide(smt.Int("named") == 1)


class Ids(_Unknown):
    """cidAll: c client ids, with the consumer's own id at index i if it is listed."""

    LISTED = smt.Int("listed") == 1

    @property
    def length(self) -> smt.IntTerm:
        return smt.Int("c")

    def __contains__(self, sought: object) -> bool:
        self._own(sought)
        return self.run.decide(self.LISTED)

    def index(self, sought: object) -> Number:
        """Return the first index of the consumer's own id, with a guard that the id is listed."""
        self._own(sought)
        self.run.guard(self.LISTED)
        return Number(self.run, smt.Int("i"))

    @staticmethod
    def _own(sought: object) -> None:
        if not isinstance(sought, Own):
            raise Unsupported("index() of anything other than the consumer's own id")

    def __iter__(self) -> NoReturn:
        raise Unsupported("a loop over the ids")


class Built(_Unknown):
    """A list that the code builds with ``[]`` and ``append``, as consecutive segments."""

    def __init__(self, run: Run, kept: str = "") -> None:
        super().__init__(run)
        if run.loop:
            raise Unsupported("a list that is created inside a loop")
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
        """Return the only segment of a list of selected queues of mqAll.

        ``kept`` names the list's length. Raises ``Unsupported`` for lists with other segments.
        """
        only = self.segments[0] if len(self.segments) == 1 else None
        if isinstance(only, Filtered) and only.element.place is AT and not only.element.kept and self._kept:
            return only
        raise Unsupported("reading a list other than a list of selected queues of mqAll")

    def _read(self) -> None:
        if self.run.loop:
            self.run.loop.reads(self)

    def __iter__(self) -> NoReturn:
        raise Unsupported("a loop over a list that the code built")


def length(value: Sized) -> Number | int:
    """Return the replacement of ``len``: a symbolic number if the list is of unknown length."""
    return Number(value.run, value.length) if isinstance(value, _Unknown) else len(value)


# Symbolic replacements for Python's builtins while a client's code runs on symbolic values.

NAMES = ("len", "range", "min", "max", "enumerate", "list")
"""All builtins that are replaced; ``list()`` also replaces the literal ``[]``."""


def builtins(run: Run, kept: str) -> Mapping[str, Callable[..., Any]]:
    """Return the symbolic replacements, by the builtin's name.

    ``kept`` names the unknown length of a list of selected queues of mqAll.
    """
    return dict(
        zip(
            NAMES,
            (
                length,
                partial(_range, run),
                partial(_least, run),
                partial(_greatest, run),
                partial(_enumerate, run),
                partial(_list, run, kept),
            ),
            strict=True,
        )
    )


def _list(run: Run, kept: str, *copied: object) -> Built | Given | Ids:
    """Return a new list for ``list()``, or the argument itself for mqAll and cidAll.

    The argument need not be copied, because no client code changes either list.
    """
    match copied:
        case ():
            return Built(run, kept)
        case (Given() | Ids() as listed,):
            return listed
    raise Unsupported("list() of anything other than mqAll and cidAll")


def _range(run: Run, *bounds: object) -> Iterator[Any]:
    low, high, step = map(term, {1: (0, *bounds, 1), 2: (*bounds, 1)}.get(len(bounds), bounds))
    run.guard(step > 0)
    counting = Counting(low, high, step)
    return run.turns(run.enter(counting), Number(run, counting.value))


def _enumerate(run: Run, listed: object) -> Iterator[Any]:
    if not isinstance(listed, Given):
        raise Unsupported("enumerate of anything other than mqAll")
    counting = Counting(smt.IntVal(0), listed.length, ONE)
    value = Number(run, counting.value)
    return run.turns(run.enter(counting), (value, listed[value]))


def _least(run: Run, one: object, other: object) -> Number:
    first, second = term(one), term(other)
    return Number(run, smt.If(second < first, second, first))


def _greatest(run: Run, one: object, other: object) -> Number:
    first, second = term(one), term(other)
    return Number(run, smt.If(second > first, second, first))
