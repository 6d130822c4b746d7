"""Breadth-first search for paths with the fewest actions, in a system with time.

Waiting does not count as an action.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.proofs.breadth_first import Keys, Rows, first, joined, picked, together

__all__ = ["Rows", "TimedExploration", "Unended"]


class Unended(RuntimeError):
    """The search reached its limit of actions before it was complete."""


class TimedExploration(ABC):
    """Breadth-first search for a path with the fewest actions.

    Each kind of claims defines the states, the actions and the target.
    """

    moves: Sequence[Happens]
    """All possible actions, except waiting."""

    @abstractmethod
    def start(self) -> Rows:
        """Return the initial state, as one row."""

    @abstractmethod
    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """Return the successors of all rows in which the action is possible.

        The second array has, for each successor, the index of the row that it comes from.
        """

    @abstractmethod
    def waits(self, rows: Rows) -> Rows:
        """Return one truth value per row: whether one tick of time can pass."""

    @abstractmethod
    def later(self, rows: Rows) -> Rows:
        """Return the states after one tick of time."""

    @abstractmethod
    def packed(self, rows: Rows) -> Keys:
        """Return each row as one number."""

    @abstractmethod
    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        """Return the index of a row, and an action by which that state reaches the target.

        None if no row has such an action.
        """

    def shortest(self, limit: int) -> list[Happens] | None:
        """Return the actions of a path with the fewest actions, last action first.

        None if the target is unreachable. Raises ``Unended`` if no path with at most ``limit`` actions exists; longer
        paths are not tried.
        """
        level = self._later(self.start(), np.full((1, 2), -2), np.zeros(0, dtype=np.int64))
        seen = np.sort(self.packed(level[0]))
        trail = [level]
        while not (last := self.ending(trail[-1][0])):
            if len(trail) > limit:
                raise Unended(f"the search did not end after {limit} actions")
            found, cause = self._next(trail[-1][0])
            after = joined(found)
            fresh = first(self.packed(after), seen)
            level = self._later(picked(after, fresh), cause[fresh], seen)
            if not len(level[0]):
                return None
            trail.append(level)
            seen = together(seen, self.packed(level[0]))
        return [last[1], *self._back(trail, last[0])]

    def _next(self, rows: Rows) -> tuple[list[Rows], Rows]:
        """Return all states one action after ``rows``.

        The second array has, for each state, the index of the previous row and of the action.
        """
        return self._caused([self.after(rows, happens) for happens in self.moves])

    def _caused(self, ahead: Sequence[tuple[Rows, Rows]]) -> tuple[list[Rows], Rows]:
        """Concatenate the successors by all actions.

        The second array has, for each successor, the index of the row that it comes from and of the action.
        """
        causes = [np.column_stack([origin, np.full(len(origin), place)]) for place, (_, origin) in enumerate(ahead)]
        return [after for after, _ in ahead], np.concatenate(causes)

    def _later(self, rows: Rows, cause: Rows, seen: Keys) -> tuple[Rows, Rows]:
        """Add all states that are reachable from ``rows`` by waiting alone.

        In ``cause``, -1 marks a state one tick after the row before it.
        """
        seen = together(seen, self.packed(rows))
        begin = 0
        while begin < len(rows):
            here = np.arange(begin, len(rows))
            here = here[self.waits(picked(rows, here))]
            later = self.later(picked(rows, here))
            keys = self.packed(later)
            fresh = first(keys, seen)
            seen = together(seen, keys[fresh])
            ticks = np.column_stack([here[fresh], np.full(len(fresh), -1)])
            begin = len(rows)
            rows, cause = joined([rows, picked(later, fresh)]), np.concatenate([cause, ticks])
        return rows, cause

    def _back(self, trail: Sequence[tuple[Rows, Rows]], at: int) -> list[Happens]:
        found = []
        for _rows, cause in reversed(trail[1:]):
            while cause[at][1] == -1:
                at = int(cause[at][0])
            found.append(self.moves[int(cause[at][1])])
            at = int(cause[at][0])
        return found
