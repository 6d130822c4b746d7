"""Breadth-first search for paths with the fewest actions, in a system with time.

Waiting does not count as an action.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.proofs.breadth_first import Keys, Rows, caused, fresh, joined, picked, together

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
            ahead = self._next(trail[-1][0])
            rows, _, places = fresh([after for after, _ in ahead], self.packed, seen)
            level = self._later(rows, caused([origin for _, origin in ahead], places), seen)
            if not len(level[0]):
                return None
            trail.append(level)
            seen = together(seen, self.packed(level[0]))
        return [last[1], *self._back(trail, last[0])]

    def _next(self, rows: Rows) -> Sequence[tuple[Rows, Rows]]:
        """Return the successors of ``rows`` by each action, as ``after`` does."""
        return [self.after(rows, happens) for happens in self.moves]

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
            more, keys, places = fresh([later], self.packed, seen)
            seen = together(seen, keys)
            ticks = np.column_stack([here[places], np.full(len(places), -1)])
            begin = len(rows)
            rows, cause = joined([rows, more]), np.concatenate([cause, ticks])
        return rows, cause

    def _back(self, trail: Sequence[tuple[Rows, Rows]], at: int) -> list[Happens]:
        found = []
        for _rows, cause in reversed(trail[1:]):
            while cause[at][1] == -1:
                at = int(cause[at][0])
            found.append(self.moves[int(cause[at][1])])
            at = int(cause[at][0])
        return found
