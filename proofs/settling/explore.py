"""The shortest way to what must not be: all states of one client's rebalance thread, breadth first, in ticks."""

from functools import cache

import numpy as np
import z3

from rebalance_proofs.model.settling.actions import Act, SettlingEncoding
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import LOOKS, RUNS, WAITS
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.kernel_exploration import KernelExploration
from rebalance_proofs.proofs.rows import Keys, numbered
from rebalance_proofs.proofs.settling.compiled import compiled
from rebalance_proofs.proofs.settling.guarantees import Bad
from rebalance_proofs.proofs.settling.notices import Notices
from rebalance_proofs.proofs.settling.schedule import MOVES, OBSERVES, happens
from rebalance_proofs.proofs.settling.variables import FLAGS, LIMITS, NAMES, OWN, SAID, limits_of, state_of, unknowns
from rebalance_proofs.proofs.timed_exploration import Rows

__all__ = ["END", "LIMIT", "shortest"]

LIMIT = 200
"""Actions."""
END = 16
"""Ticks: nobody looks longer."""
MOST = 31
"""No number of a state is greater."""


def shortest(encoding: SettlingEncoding, world: Notices, limits: Limits, bad: Bad) -> Schedule | None:
    """The first schedule of the fewest actions in ``END`` ticks after which it is so; None when there is none.

    ``limits`` are in ticks. Raises ``RuntimeError`` when the search has not ended after ``LIMIT`` actions.
    """
    found = _Exploration(encoding, world, limits, bad).shortest(LIMIT)
    return tuple(reversed(found)) if found else None


@cache
def _kernel(act: Act, name: str, world: Notices) -> Kernel:
    return compiled(act, world.allows(name, state_of(unknowns())))


@cache
def _bad(bad: Bad) -> Kernel:
    v = unknowns()
    return compile_kernel(NAMES, bad(state_of(v), limits_of(v)))


@cache
def _waits(world: Notices) -> Kernel:
    v = unknowns()
    return compile_kernel(NAMES, z3.And(v.now < END, world.waits(state_of(v), v.now + 1, limits_of(v))))


COLUMNS = ("now", *OWN)
BITS = {name: 1 if name in FLAGS else 3 if name == "at" else 5 for name in COLUMNS}
WEIGHTS = np.array([1 << sum(BITS[one] for one in COLUMNS[:place]) for place in range(len(COLUMNS))], dtype=np.int64)


class _Exploration(KernelExploration):
    """A row is the time, and the thread's fields."""

    moves, columns, names = MOVES, COLUMNS, NAMES

    def __init__(self, encoding: SettlingEncoding, world: Notices, limits: Limits, bad: Bad) -> None:
        self.fixed = {name: getattr(limits, name) for name in LIMITS} | dict.fromkeys(SAID, 0)
        self._encoding, self._world, self._wrong = encoding, world, bad
        self._wait = limits.wait

    def start(self) -> Rows:
        row = np.zeros((1, len(COLUMNS)), dtype=np.int64)
        row[0, COLUMNS.index("at")], row[0, COLUMNS.index("interval")] = LOOKS, self._wait
        return row

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        kernel = _kernel(getattr(self._encoding, happens.action), happens.action, self._world)
        changed, possible = self.turned(kernel, rows, happens)
        return normal(changed), possible

    def waiting(self) -> Kernel:
        return _waits(self._world)

    def wrong(self) -> Kernel:
        return _bad(self._wrong)

    def packed(self, rows: Rows) -> Keys:
        return numbered(rows, WEIGHTS)

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        wrong = self.first_wrong(rows)
        return None if wrong is None else (wrong, happens(OBSERVES))


def normal(rows: Rows) -> Rows:
    """The same without what says nothing, and no number out of its room."""
    at = rows[:, COLUMNS.index("at")]
    for name, told in (
        ("since", at == WAITS),
        ("began", at == RUNS),
        *((name, rows[:, COLUMNS.index("changed")] != 0) for name in ("change", "due")),
        ("heard_at", rows[:, COLUMNS.index("heard")] != 0),
    ):
        rows[:, COLUMNS.index(name)] *= told
    return np.clip(rows, 0, MOST, out=rows)
