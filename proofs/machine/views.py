"""Compiled terms over rows of several copies: one copy's view, a move, a normalization."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.proofs.machine.compiled import Fitted
from rebalance_proofs.proofs.rows import Rows

__all__ = ["Normal", "Step", "View"]


@dataclass(frozen=True)
class View:
    """Terms as a function of rows, from one copy's viewpoint."""

    fitted: Fitted
    given: tuple[tuple[int | None, int], ...]
    """Unknown -> index of its column, or no index and its value."""
    named: tuple[int, ...]
    """Places of the unknowns whose value names a copy."""
    number: int
    """Number that identifies the copy in rows."""

    def __call__(self, rows: Rows) -> tuple[Any, ...]:
        columns = rows.T
        given = [value if place is None else columns[place] for place, value in self.given]
        for place in self.named:
            who = given[place]
            given[place] = np.where(who == NOBODY, NOBODY, np.where(who == self.number, ME, OTHER))
        return self.fitted.of(*given)


@dataclass(frozen=True)
class Normal:
    """Normalization of columns in place.

    Values that do not matter become zero, and numbers are clipped to the explored range.
    """

    matters: View
    zeroed: tuple[int, ...]
    """Columns of the results of ``matters``."""
    clipped: tuple[tuple[int, int, int, int | None], ...]
    """Columns with their least and greatest number, and the number that means "none"."""

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
    """A move of one copy: its condition and its changes."""

    guard: View
    after: View
    changed: tuple[tuple[int, bool], ...]
    """For each new value, the index of its column, and whether the value names a copy."""
    normal: Normal
