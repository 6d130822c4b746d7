"""Breadth-first search for the shortest schedules that reach bad states.

Each state is one row of an integer array.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rebalance_proofs.model.machine.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.rows import Keys, Rows, first, joined, picked, together


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
        found, causes = [], []
        for number, happens in enumerate(moves):
            after, origin = reach.after(rows, happens)
            found.append(after)
            causes.append(np.column_stack([origin, np.full(len(origin), number)]))
        every = joined(found)
        keys = packed(every)
        fresh = first(keys, seen)
        rows, seen = picked(every, fresh), together(seen, keys[fresh])
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
