"""The shortest ways to what must not be: all states in reach, breadth first, as rows of numbers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rebalance_proofs.proofs.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.rows import Keys, Rows, first, joined, together

__all__ = ["Reachable", "breadth_first"]


class Reachable(Protocol):
    """What there is at first, and what comes of it."""

    def start(self) -> Rows:
        """One state a row."""

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The states afterwards, where that is possible, and the places of the rows that they come from."""

    def bad(self, rows: Rows, bad: Any) -> Rows:
        """By row, whether it is so."""


def breadth_first(
    reach: Reachable,
    packed: Callable[[Rows], Keys],
    moves: Sequence[Happens],
    bad: Mapping[str, Any],
    limit: int,
    best: Callable[[Schedule], Any] | None = None,
) -> Mapping[str, Schedule]:
    """By what is bad, a schedule of the fewest actions after which it is so; none where none is of so many actions.

    ``packed`` gives each row as one number. Of several schedules the first is taken, or the one for which ``best`` is
    greatest.
    """
    rows = reach.start()
    seen = packed(rows)
    trail: list[Rows] = []
    schedules: dict[str, Schedule] = {}
    while len(rows) and len(trail) < limit and len(schedules) < len(bad):
        found, causes = [], []
        for number, happens in enumerate(moves):
            after, origin = reach.after(rows, happens)
            found.append(after)
            causes.append(np.column_stack([origin, np.full(len(origin), number)]))
        keys = np.concatenate([packed(after) for after in found])
        fresh = first(keys, seen)
        rows, seen = joined(found, fresh), together(seen, keys[fresh])
        trail.append(np.concatenate(causes)[fresh])
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
