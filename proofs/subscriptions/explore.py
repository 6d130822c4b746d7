"""The shortest way to what must not be: all states of a topic's subscription, breadth first, in ticks."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import z3

from rebalance_proofs.model.subscriptions.actions import Act, SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import FLIES, IDLE, started
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.terms.kernel import unknowns as names_in
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarded import Guarded
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.kernel_exploration import KernelExploration
from rebalance_proofs.proofs.numerals import value
from rebalance_proofs.proofs.rows import Keys, numbered
from rebalance_proofs.proofs.subscriptions.compiled import compiled
from rebalance_proofs.proofs.subscriptions.examples import ticks
from rebalance_proofs.proofs.subscriptions.guarantees import Bad, bad_of
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS
from rebalance_proofs.proofs.subscriptions.members import PULLS, Members
from rebalance_proofs.proofs.subscriptions.schedule import MOVES, told
from rebalance_proofs.proofs.subscriptions.variables import (
    FLAGS,
    NAMES,
    OWN,
    limits_of,
    said_of,
    state_of,
    unknowns,
)
from rebalance_proofs.proofs.timed_exploration import Rows

__all__ = ["END", "LIMIT", "shortest"]

LIMIT = 200
"""Actions."""
END = 9
"""Ticks: nobody looks longer."""
MOST = 15
"""No number of a state is greater."""
ROOM = 63
"""Bits."""


def shortest(encoding: SubscriptionsEncoding, claim: Claim) -> Schedule | None:
    """The first schedule of the fewest actions in ``END`` ticks after which it is so; None when there is none.

    Raises ``RuntimeError`` when the search has not ended after ``LIMIT`` actions.
    """
    found = _Exploration(encoding, claim, ticks(claim)).shortest(LIMIT)
    return tuple(reversed(found)) if found else None


COLUMNS = ("now", *OWN)
BITS = {name: 1 if name in FLAGS else 2 if name == "at" else 4 for name in COLUMNS}
ENDINGS = sorted(MOVES, key=lambda happens: happens.action not in PULLS)
"""Pulls are what people look at."""


def weights(told: tuple[str, ...]) -> np.ndarray:
    """What each column counts in a row's number, where these are told apart; raises ``ValueError`` where that is too
    much for one number."""
    bits = [BITS[name] if name in told else 0 for name in COLUMNS]
    if sum(bits) > ROOM:
        raise ValueError(f"{sum(bits)} bits are no number of {ROOM} bits: {', '.join(told)}")
    return np.array([1 << sum(bits[:place]) if bits[place] else 0 for place in range(len(bits))], dtype=np.int64)


@cache
def _action(act: Act, name: str, world: Members) -> Guarded:
    v = unknowns()
    return compiled(act, world.allows(name, state_of(v), said_of(v), limits_of(v)))


@cache
def _bad(bad: Bad) -> Kernel:
    v = unknowns()
    return compile_kernel(NAMES, bad(state_of(v), limits_of(v)))


@cache
def _waits(world: Members) -> Kernel:
    v = unknowns()
    return compile_kernel(NAMES, z3.And(v.now < END, world.waits(state_of(v), v.now + 1, limits_of(v))))


@cache
def matters(encoding: SubscriptionsEncoding, world: Members, bad: Bad) -> tuple[str, ...]:
    """What of a state says anything there of what may happen, and of what must not be so."""
    v = unknowns()
    state, said, limits = state_of(v), said_of(v), limits_of(v)
    asked = {"now"} | names_in(bad(state, limits)) | names_in(world.waits(state, v.now + 1, limits))
    turns = []
    for name in ACTIONS:
        turn, allowed = getattr(encoding, name)(state, said, limits), world.allows(name, state, said, limits)
        if not z3.is_false(z3.simplify(z3.And(turn.can, allowed))):
            asked |= names_in(turn.can) | names_in(allowed)
            turns.append(vars(turn.after.me))
    while True:
        found = asked.union(*(names_in(turn[name]) for turn in turns for name in asked & set(OWN)))
        if found == asked:
            return tuple(name for name in COLUMNS if name in asked)
        asked = found


class _Exploration(KernelExploration):
    """A row is the time, and what the broker and the member have."""

    moves, columns, names = MOVES, COLUMNS, NAMES

    def __init__(self, encoding: SubscriptionsEncoding, claim: Claim, limits: Limits) -> None:
        self._encoding, self._world, self._wrong = encoding, claim.world, bad_of(claim)
        self._fingerprints: bool = claim.subjects[0].fingerprints
        self.fixed: dict[str, int] = vars(limits)
        told = matters(encoding, self._world, self._wrong)
        self._idle = [place for place, name in enumerate(COLUMNS) if name not in told]
        self._weights = weights(told)

    def start(self) -> Rows:
        first = started(z3.IntVal(0), z3.IntVal(self.fixed["period"]), fingerprints=self._fingerprints)
        row = np.array([[0, *(int(value(term)) for term in vars(first).values())]], dtype=np.int64)
        return self._normal(row)

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        action = _action(getattr(self._encoding, happens.action), happens.action, self._world)
        changed, possible = self.turned(action, rows, happens)
        return self._normal(changed), possible

    def waiting(self) -> Kernel:
        return _waits(self._world)

    def wrong(self) -> Kernel:
        return _bad(self._wrong)

    def told(self, said: Mapping[str, bool], rows: Rows) -> Mapping[str, Any]:
        return {f"said_{name}": value for name, value in told(said, rows[:, 0]).items()}

    def packed(self, rows: Rows) -> Keys:
        return numbered(rows, self._weights)

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        for happens in ENDINGS:
            after, origin = self.after(rows, happens)
            wrong = self.first_wrong(after)
            if wrong is not None:
                return int(origin[wrong]), happens
        return None

    def _normal(self, rows: Rows) -> Rows:
        """The same without what says nothing, and no number out of its room."""
        column = {name: rows[:, place] for place, name in enumerate(COLUMNS)}
        flies, refused = column["at"] == FLIES, column["refused"] != 0
        for name, says in (
            ("carried", flies),
            ("full", flies),
            ("began", column["at"] != IDLE),
            *((name, column["has"] != 0) for name in ("version", "takes")),
            *((name, refused) for name in ("asked", "first", "opened")),
        ):
            column[name] *= says
        rows[:, self._idle] = 0
        return np.clip(rows, 0, MOST, out=rows)
