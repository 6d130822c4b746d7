"""Segments of a symbolic list: terms for the positions of its queues."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rebalance_proofs.model.terms import smt

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
