"""Compiled functions on arrays of states of several copies.

A function evaluates terms from the viewpoint of one copy, performs an action, or normalizes states.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.proofs.machine.compiled import Fitted
from rebalance_proofs.proofs.rows import Rows


@dataclass(frozen=True)
class View:
    """Terms as a function of an array of states, from the viewpoint of one copy."""

    fitted: Fitted
    given: tuple[tuple[int | None, int], ...]
    """For each argument of the function, the index of its column and 0, or None and a constant."""
    named: tuple[int, ...]
    """Indexes of the arguments whose values identify a copy."""
    number: int
    """Number that represents this copy in the columns of the array."""

    def __call__(self, rows: Rows) -> tuple[Any, ...]:
        columns = rows.T
        given = [value if place is None else columns[place] for place, value in self.given]
        for place in self.named:
            who = given[place]
            given[place] = np.where(who == NOBODY, NOBODY, np.where(who == self.number, ME, OTHER))
        return self.fitted.of(*given)


@dataclass(frozen=True)
class Normal:
    """Normalization of states, in place.

    Values that have no effect become zero, and numbers are clipped to the explored range.
    """

    matters: View
    zeroed: tuple[int, ...]
    """Columns that become zero where the corresponding result of ``matters`` is false."""
    clipped: tuple[tuple[int, int, int, int | None], ...]
    """Columns with their least and greatest number, and the number that means "none", if any."""

    def __call__(self, rows: Rows) -> None:
        columns = rows.T
        if self.zeroed:
            for place, matters in zip(self.zeroed, self.matters(rows), strict=True):
                columns[place] *= matters
        for place, least, most, none in self.clipped:
            column = columns[place]
            absent = None if none is None else column == none
            np.maximum(column, least, out=column)
            np.minimum(column, most, out=column)
            if absent is not None:
                column[absent] = none


@dataclass(frozen=True)
class Step:
    """An action of one copy: its condition and its changes."""

    guard: View
    after: View
    changed: tuple[tuple[int, bool], ...]
    """For each changed field, the index of its column, and whether its value identifies a copy."""
    normal: Normal
