"""The shortest way to what must not be: all states of one member at one broker, breadth first, in ticks."""

from functools import cache

import numpy as np
import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.kernel_exploration import KernelExploration
from rebalance_proofs.proofs.registry.compiled import compiled, condition, given
from rebalance_proofs.proofs.registry.guarantees import Bad
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.schedule import OBSERVES, happens, moves
from rebalance_proofs.proofs.registry.variables import FLAGS, LIMITS, NAMES, OWN, SAID
from rebalance_proofs.proofs.rows import Keys, numbered
from rebalance_proofs.proofs.timed_exploration import Rows

__all__ = ["LIMIT", "MOST", "shortest"]

LIMIT = 60
"""Actions."""
MOST = 15
"""No number of a state is greater."""


def shortest(encoding: RegistryEncoding, world: Membership, limits: Limits, bad: Bad, end: int) -> Schedule | None:
    """The first schedule of the fewest actions in ``end`` ticks after which it is so; None when there is none.

    ``limits`` are in ticks, and so is ``end``, at most ``MOST``. Raises ``RuntimeError`` when the search has not ended
    after ``LIMIT`` actions.
    """
    found = _Exploration(encoding, world, limits, bad, end).shortest(LIMIT)
    return tuple(reversed(found)) if found else None


@cache
def _allows(name: str, world: Membership) -> Kernel:
    return condition(world.allows(name, *given()))


@cache
def _bad(bad: Bad) -> Kernel:
    state, _, limits = given()
    return condition(bad(state, limits))


@cache
def _waits(world: Membership, end: int) -> Kernel:
    state, _, limits = given()
    return condition(z3.And(state.now < end, world.waits(state, state.now + 1, limits)))


COLUMNS = ("now", *OWN)
BITS = {name: 1 if name in FLAGS else 4 for name in COLUMNS}
WEIGHTS = np.array([1 << sum(BITS[one] for one in COLUMNS[:place]) for place in range(len(COLUMNS))], dtype=np.int64)
assert sum(BITS.values()) < 63
assert MOST < 16


class _Exploration(KernelExploration):
    """A row is the time, and the member's fields."""

    columns, names = COLUMNS, NAMES

    def __init__(self, encoding: RegistryEncoding, world: Membership, limits: Limits, bad: Bad, end: int) -> None:
        self._end = end
        self.moves = moves(world.actions, off=world.off, later=world.later)
        self._encoding, self._world, self._wrong = encoding, world, bad
        said = dict.fromkeys(SAID, 0) | {"off": int(world.off), "later": int(world.later)}
        self.fixed = {name: getattr(limits, name) for name in LIMITS} | said

    def start(self) -> Rows:
        return np.zeros((1, len(COLUMNS)), dtype=np.int64)

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        allowed = np.flatnonzero(self.flag(_allows(happens.action, self._world), rows, dict(happens.said)))
        changed, able = self.turned(compiled(getattr(self._encoding, happens.action)), rows[allowed], happens)
        return self._normal(changed), allowed[able]

    def waiting(self) -> Kernel:
        return _waits(self._world, self._end)

    def wrong(self) -> Kernel:
        return _bad(self._wrong)

    def later(self, rows: Rows) -> Rows:
        return self._normal(super().later(rows))

    def packed(self, rows: Rows) -> Keys:
        return numbered(rows, WEIGHTS)

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        wrong = self.first_wrong(rows)
        return None if wrong is None else (wrong, happens(OBSERVES))

    def _normal(self, rows: Rows) -> Rows:
        """Without what says nothing in this world."""
        for name, told in (("old_at", "old"), ("stale_at", "stale"), ("moved_at", "moved")):
            rows[:, COLUMNS.index(name)] *= rows[:, COLUMNS.index(told)]
        for name, asked in (
            ("scanned", self._world.scans),
            ("flushed", self._world.sends),
            ("polled", self._world.polls),
        ):
            if not asked:
                rows[:, COLUMNS.index(name)] = 0
        return rows
