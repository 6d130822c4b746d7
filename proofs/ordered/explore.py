"""The shortest way to two listeners on one queue: all states of two consumers, breadth first, in ticks."""

import numpy as np

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.ordered.circumstances import RESTART, Circumstances
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.schedule import RESTARTS, choices
from rebalance_proofs.proofs.ordered.together import Together, packed, place
from rebalance_proofs.proofs.rows import Keys
from rebalance_proofs.proofs.timed_exploration import Rows, TimedExploration

__all__ = ["shortest"]

LIMIT = 30
"""Actions."""


def shortest(encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> Schedule | None:
    """The first schedule of the fewest actions after which both listeners run; None when there is none.

    ``limits`` are in ticks. Raises ``RuntimeError`` when the search has not ended after ``LIMIT`` actions.
    """
    found = _Exploration(encoding, world, limits).shortest(LIMIT)
    return x_first(found) if found else None


class _Exploration(TimedExploration):
    def __init__(self, encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> None:
        self._together = Together(encoding, world, limits)
        # An entry whose pull is overdue goes as one does that is not the consumer's any more; two minutes are not told
        # apart here.
        moves = [
            Happens(who, name, said)
            for name in ACTIONS
            for said in choices(name)
            for who in (0, 1)
            if ("in_set", True) not in said
        ]
        self.moves = moves if world.keeps(RESTART) else [*moves, Happens(0, RESTARTS)]

    def start(self) -> Rows:
        return self._together.start()

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        return self._together.after(rows, happens)

    def waits(self, rows: Rows) -> Rows:
        return self._together.waits(rows)

    def later(self, rows: Rows) -> Rows:
        return self._together.later(rows)

    def packed(self, rows: Rows) -> Keys:
        return packed(rows)

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        """An action is one consumer's, so the other one's listener runs before: most rows need not be looked at."""
        for happens in self.moves:
            others = np.flatnonzero(rows[:, place(1 - happens.who, "runs")])
            after, origin = self._together.after(rows[others], happens)
            both = np.flatnonzero(after[:, place(happens.who, "runs")])
            if len(both):
                return int(others[origin[both[0]]]), happens
        return None
