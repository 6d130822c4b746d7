"""The shortest way to two listeners on one queue, or to a lock that is left behind: all states of two consumers,
breadth first, in ticks."""

import numpy as np

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.happens import Happens, Schedule, x_first
from rebalance_proofs.proofs.ordered.circumstances import RESTART, Circumstances
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.schedule import RESTARTS, choices
from rebalance_proofs.proofs.ordered.together import Packing, Together, place
from rebalance_proofs.proofs.rows import Keys
from rebalance_proofs.proofs.timed_exploration import Rows, TimedExploration

__all__ = ["shortest"]

LIMIT = 60
"""Actions."""
SHUTDOWN = ("clears", "gives_back", "interrupts", "shuts")
"""Of runs that are as short the one is told in which these come late."""


def shortest(encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> Schedule | None:
    """The first schedule of the fewest actions after which both listeners run; None when there is none.

    Where the world is ``prompt``: after which a lock is left behind. ``limits`` are in ticks. Raises ``RuntimeError``
    when the search has not ended after ``LIMIT`` actions.
    """
    explored = _LeftBehind if world.prompt else _TwoListeners
    found = explored(encoding, world, limits).shortest(LIMIT)
    return x_first(found) if found else None


class _Exploration(TimedExploration):
    def __init__(self, encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> None:
        self._together, self._packing = Together(encoding, world, limits), Packing(limits)
        # An entry whose pull is overdue goes as one does that is not the consumer's any more; two minutes are not told
        # apart here.
        moves = [
            Happens(who, name, said)
            for name in (*SHUTDOWN, *(name for name in ACTIONS if name not in SHUTDOWN))
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
        return self._packing(rows)


class _TwoListeners(_Exploration):
    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """Without those that never come to it: whoever accepts no requests any more, has no messages and makes no call
        never makes one again."""
        after, origin = super().after(rows, happens)
        stopping, closed, cached, runs = (
            after[:, place(happens.who, name)] for name in ("stopping", "closed", "cached", "runs")
        )
        hopeful = np.flatnonzero(((stopping | closed) == 0) | ((cached | runs) != 0))
        return after[hopeful], origin[hopeful]

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        """An action is one consumer's, so the other one's listener runs before: most rows need not be looked at."""
        for happens in self.moves:
            others = np.flatnonzero(rows[:, place(1 - happens.who, "runs")])
            after, origin = self._together.after(rows[others], happens)
            both = np.flatnonzero(after[:, place(happens.who, "runs")])
            if len(both):
                return int(others[origin[both[0]]]), happens
        return None


class _LeftBehind(_Exploration):
    """Of one consumer: another can only take the lock from it."""

    def __init__(self, encoding: OrderedEncoding, world: Circumstances, limits: Limits) -> None:
        super().__init__(encoding, world, limits)
        self.moves = [happens for happens in self.moves if happens.who == 0]

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        for happens in self.moves:
            after, origin = self._together.after(rows, happens)
            over, waits = ("yielded", "closed"), after[:, place(happens.who, "unlocking")]
            left = np.all([after[:, place(happens.who, name)] != 0 for name in over], axis=0) & (waits == 0)
            kept = np.flatnonzero(left & (after[:, -2] == self._together.id_of(happens.who)))
            if len(kept):
                return int(origin[kept[0]]), happens
        return None
