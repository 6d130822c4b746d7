"""What a list is made of: where its elements stand, as terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import z3

__all__ = ["AT", "PLACE", "Element", "Filtered", "Growing", "Segment", "chosen"]

AT = z3.Int("at")
"""Which turn of a loop it is: the loop's variable where it counts up by one, else the number of the turn from 0."""
PLACE = z3.Int("place")
"""A place in a list, from 0."""


@dataclass(frozen=True)
class Element:
    """One of mqAll's queues: the one at ``place``, or the one that stands there in the list of those that are kept."""

    place: z3.ArithRef
    kept: bool = False

    def at(self, unknown: z3.ArithRef, value: z3.ArithRef) -> "Element":
        """The same for a value of an unknown."""
        return Element(z3.substitute(self.place, (unknown, value)), self.kept)


@dataclass(frozen=True)
class Segment:
    """So many elements, one for each value of ``PLACE`` from 0 on."""

    length: z3.ArithRef
    element: Element


@dataclass(frozen=True)
class Filtered:
    """For each value of ``AT`` for which ``keeps`` holds one element, in their order. How many they are is not said."""

    keeps: z3.BoolRef
    element: Element


class Growing(Protocol):
    """A list that a loop appends to."""

    segments: list[Segment | Filtered]


def chosen(ways: Sequence[tuple[z3.BoolRef, Element]]) -> Element | None:
    """The element of the way whose condition holds; None when they are of two lists."""
    *others, (_, last) = ways
    if any(element.kept is not last.kept for _, element in others):
        return None
    place = last.place
    for condition, element in reversed(others):
        place = element.place if element.place.eq(place) else z3.If(condition, element.place, place)
    return Element(place, last.kept)
