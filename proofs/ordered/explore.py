"""The shortest way to two listeners on one queue: all states of two consumers, breadth first, in ticks."""

import numpy as np

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.ordered.circumstances import RESTART, Circumstances
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.pair import Pair, Rows, packed, place
from rebalance_proofs.proofs.ordered.schedule import RESTARTS, choices
from rebalance_proofs.proofs.rows import first, together

__all__ = ["shortest"]

LIMIT = 30
"""Actions."""


def shortest(encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> Schedule | None:
    """The first schedule of the fewest actions after which both listeners run; None when there is none.

    ``limits`` are in ticks. Raises ``RuntimeError`` when the search has not ended after ``LIMIT`` actions.
    """
    return _Exploration(encoding, world, limits).schedule()


class _Exploration:
    def __init__(self, encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> None:
        self._pair = Pair(encoding, world, limits)
        # An entry whose pull is overdue goes as one does that is not the consumer's any more; two minutes are not told
        # apart here.
        self._moves = [
            Happens(who, name, said)
            for name in ACTIONS
            for said in choices(name)
            for who in (0, 1)
            if ("in_set", True) not in said
        ]
        self._moves += [] if world.keeps(RESTART) else [Happens(0, RESTARTS)]

    def schedule(self) -> Schedule | None:
        level = self._later(self._pair.start(), np.full((1, 2), -2), np.zeros(0, dtype=np.int64))
        seen = np.sort(packed(level[0]))
        trail = [level]
        for _ in range(LIMIT):
            last = self._last(trail[-1][0])
            if len(last):
                return self._back([*trail, (last, last)], 0)
            rows, cause = self._next(trail[-1][0])
            fresh = first(packed(rows), seen)
            level = self._later(rows[fresh], cause[fresh], seen)
            if not len(level[0]):
                return None
            trail.append(level)
            seen = together(seen, packed(level[0]))
        raise RuntimeError(f"two listeners: the search has not ended after {LIMIT} actions")

    def _last(self, rows: Rows) -> Rows:
        """From which row by which move the first state is reached in which both run; nothing where there is none.

        An action is one consumer's, so the other one's listener runs before. Most rows need not be looked at for that.
        """
        for number, happens in enumerate(self._moves):
            others = np.flatnonzero(rows[:, place(1 - happens.who, "runs")])
            after, origin = self._pair.after(rows[others], happens)
            both = np.flatnonzero(after[:, place(happens.who, "runs")])
            if len(both):
                return np.array([[others[origin[both[0]]], number]])
        return np.zeros((0, 2), dtype=np.int64)

    def _next(self, rows: Rows) -> tuple[Rows, Rows]:
        """All states one action later, and from which row by which move."""
        found, causes = [], []
        for number, happens in enumerate(self._moves):
            after, rows_from = self._pair.after(rows, happens)
            found.append(after)
            causes.append(np.column_stack([rows_from, np.full(len(rows_from), number)]))
        return np.concatenate(found), np.concatenate(causes)

    def _later(self, rows: Rows, cause: Rows, seen: Rows) -> tuple[Rows, Rows]:
        """And all states that time alone leads to; a cause of -1 is a tick behind the row it names."""
        seen = together(seen, packed(rows))
        begin = 0
        while begin < len(rows):
            here = np.arange(begin, len(rows))
            here = here[self._pair.waits(rows[here])]
            later = self._pair.later(rows[here])
            fresh = first(packed(later), seen)
            seen = together(seen, packed(later[fresh]))
            ticks = np.column_stack([here[fresh], np.full(len(fresh), -1)])
            begin = len(rows)
            rows, cause = np.concatenate([rows, later[fresh]]), np.concatenate([cause, ticks])
        return rows, cause

    def _back(self, trail: list[tuple[Rows, Rows]], at: int) -> Schedule:
        found = []
        for _rows, cause in reversed(trail[1:]):
            while cause[at][1] == -1:
                at = int(cause[at][0])
            found.append(self._moves[int(cause[at][1])])
            at = int(cause[at][0])
        return x_first(found)
