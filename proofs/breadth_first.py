"""Breadth-first search for the shortest schedules that reach bad states.

Each state is one row of an integer array.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rebalance_proofs.model.machine.run import Happens, Schedule, x_first

# Arrays of states for breadth-first searches, and sorted arrays of visited states.
# A row is one state. Visited states are stored as keys: each row as one number.

Keys = np.ndarray
Rows = np.ndarray
"""An array with one state per row.

It is stored column by column, because operations work on columns.
"""


AT_ONCE = 16_384
"""Number of rows whose numbers are computed together."""
FEW = 20_000
"""Fewer rows than these are copied faster than they are examined part by part."""


def picked(rows: Rows, places: np.ndarray) -> Rows:
    """Return a copy of the rows at the indexes ``places``.

    NumPy's own indexing would store it row by row.
    """
    return rows.T.take(places, axis=1).T


def joined(parts: Sequence[Rows]) -> Rows:
    """Concatenate arrays of rows."""
    return np.concatenate([rows.T for rows in parts], axis=1).T


def numbered(rows: np.ndarray, weights: np.ndarray) -> Keys:
    """Return each row as one number: the weighted sum of its columns.

    The sum is computed column by column, which is many times as fast as NumPy's product of integers, and for some rows
    at a time, which stay in the processor's cache.
    """
    numbers = np.zeros(len(rows), dtype=np.int64)
    columns = [(column, weight) for column, weight in zip(rows.T, weights.tolist(), strict=True) if weight]
    product = np.empty(min(len(rows), AT_ONCE), dtype=np.int64)
    for begin in range(0, len(rows), AT_ONCE):
        some = numbers[begin : begin + AT_ONCE]
        for column, weight in columns:
            some += np.multiply(column[begin : begin + AT_ONCE], weight, out=product[: len(some)], dtype=np.int64)
    return numbers


def first(keys: Keys, seen: Keys) -> Keys:
    """Return the indexes of the keys that are not in the sorted array ``seen``.

    Equal keys are returned only once.
    """
    if not len(keys):
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(keys)
    found = keys[order]
    begins = np.flatnonzero(np.concatenate([[True], found[1:] != found[:-1]]))
    found, places = found[begins], np.minimum.reduceat(order, begins)
    if not len(seen):
        return np.sort(places)
    near = np.minimum(np.searchsorted(seen, found), len(seen) - 1)
    return np.sort(places[seen[near] != found])


def fresh(parts: Sequence[Rows], packed: Callable[[Rows], Keys], seen: Keys) -> tuple[Rows, Keys, np.ndarray]:
    """Return the distinct rows of all parts whose keys are not in the sorted array ``seen``.

    The other results are their keys, and their indexes among the rows of all parts. Unless there are only a few rows,
    those that are not new are not copied.
    """
    if sum(map(len, parts)) < FEW:
        parts = [joined(parts)]
    keys = np.concatenate([packed(rows) for rows in parts])
    places = first(keys, seen)
    ends = np.cumsum([len(rows) for rows in parts])
    bounds = [0, *np.searchsorted(places, ends).tolist()]
    begins = [0, *ends.tolist()]
    chosen = [places[one:other] - begin for one, other, begin in zip(bounds, bounds[1:], begins, strict=False)]
    rows = joined([picked(part, some) for part, some in zip(parts, chosen, strict=True)])
    return rows, keys[places], places


def caused(origins: Sequence[np.ndarray], places: np.ndarray) -> Rows:
    """Return, for some successors, the index of the row before and of the action.

    ``origins``: for each action, the indexes of the rows before all of its successors. ``places``: indexes among the
    successors of all actions.
    """
    ends = np.cumsum([len(one) for one in origins])
    return np.column_stack([np.concatenate(origins)[places], np.searchsorted(ends, places, side="right")])


def together(seen: Keys, keys: Keys) -> Keys:
    """Merge both arrays of keys into one sorted array.

    NumPy's own union hashes, which takes many times as long.
    """
    return np.sort(np.concatenate([seen, keys]), kind="stable")


class Reachable(Protocol):
    """A transition system: initial states, successor states, and a test for bad states.

    Arrays of states have one state per row.
    """

    def start(self) -> Rows:
        """Return the initial states, one per row of the array."""

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """Return the successors of all rows in which the action is possible.

        The second array has, for each successor, the index of the row that it comes from.
        """

    def bad(self, rows: Rows, bad: Any) -> Rows:
        """Return one truth value per row: whether the state is bad in the sense of ``bad``."""


def breadth_first(
    reach: Reachable,
    packed: Callable[[Rows], Keys],
    moves: Sequence[Happens],
    bad: Mapping[str, Any],
    limit: int,
    best: Callable[[Schedule], Any] | None = None,
) -> Mapping[str, Schedule]:
    """Find the shortest schedule that reaches each kind of bad state.

    ``bad`` maps the name of a kind to its test; the result maps the same names to schedules. A name is missing if no
    schedule of at most ``limit`` actions reaches such a state. ``packed`` returns each row as one number. Of several
    shortest schedules the first is taken, or the one for which ``best`` is greatest.
    """
    rows = reach.start()
    seen = packed(rows)
    trail: list[Rows] = []
    schedules: dict[str, Schedule] = {}
    while len(rows) and len(trail) < limit and len(schedules) < len(bad):
        ahead = [reach.after(rows, happens) for happens in moves]
        rows, keys, places = fresh([after for after, _ in ahead], packed, seen)
        seen = together(seen, keys)
        trail.append(caused([origin for _, origin in ahead], places))
        for name in bad.keys() - schedules.keys():
            wrong = np.flatnonzero(reach.bad(rows, bad[name]))
            if len(wrong):
                tried = (_back(moves, trail, int(at)) for at in wrong)
                schedules[name] = max(tried, key=best) if best else next(tried)
    return schedules


def _back(moves: Sequence[Happens], trail: Sequence[Rows], at: int) -> Schedule:
    found = []
    for cause in reversed(trail):
        found.append(moves[int(cause[at][1])])
        at = int(cause[at][0])
    return x_first(found)
