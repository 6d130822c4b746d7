"""Consumers of one queue as rows of small numbers, in ticks; what can happen to them is the terms, compiled."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache, partial

import numpy as np
import z3

from rebalance_proofs.model.ordered.actions import Act, OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import NOBODY, Consumer, State
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.guarded import Guarded
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.ordered.circumstances import TWIN, Circumstances
from rebalance_proofs.proofs.ordered.compiled import compiled
from rebalance_proofs.proofs.ordered.inductive import can_wait
from rebalance_proofs.proofs.ordered.schedule import RESTARTS
from rebalance_proofs.proofs.ordered.variables import ME, NAMES, OTHER, SAID, limits_of, state_of, unknowns
from rebalance_proofs.proofs.rows import Rows, numbered

__all__ = ["LATEST", "OLDEST", "OWN", "TIMES", "Packing", "Rows", "Together", "place"]

GHOSTS = ("owned_from", "lost", "lost_at", "call_from", "call_lost", "call_lost_at")
UNTOLD = ("granted_at", "released", "left", "twice", *GHOSTS)
"""What is for proofs alone, and what never is so."""
OWN = [field.name for field in fields(Consumer) if field.name not in ("client_id", *UNTOLD)]
"""A consumer's columns."""
TIMES = {
    "stamp": "present",
    "pulls_from": "present",
    "since": "runs",
    "answered_at": "answered",
    "adding_at": "adding",
    "due": "later",
    "waits_since": "stopping",
}
"""A time says something only where its flag is set."""
OLDEST, LATEST = -7, 4
"""Ticks: what is older than every limit need not be told apart; nothing is put off for longer."""


@cache
def _action(encoding: OrderedEncoding, name: str, world: Circumstances) -> Guarded:
    act: Act = getattr(encoding, name)
    return compiled(act, OWN, partial(world.allows, encoding, name))


@cache
def _waiting(listed: Callable[[State], z3.BoolRef], world: Circumstances) -> Kernel:
    v = unknowns()
    state, tick, limits = state_of(v), z3.IntVal(1), limits_of(v)
    return compile_kernel(NAMES, z3.And(can_wait(state, tick, limits), world.waits(listed(state), state, tick, limits)))


@cache
def _listed(listed: Callable[[State], z3.BoolRef]) -> Kernel:
    return compile_kernel(NAMES, listed(state_of(unknowns())))


def place(who: int, name: str) -> int:
    """A consumer's column in a row."""
    return who * len(OWN) + OWN.index(name)


def soonest(name: str, limits: Limits) -> int:
    """What is longer ago is told apart by nothing that comes."""
    waited: int = -max(limits.wait, limits.loop + 1)
    return {"pulls_from": 0, "waits_since": waited}.get(name, OLDEST)


def _own(who: int) -> slice:
    return slice(len(OWN) * who, len(OWN) * (who + 1))


class Together:
    """What they can do, within limits in ticks. Raises ``ValueError`` for limits that are too long for its rows.

    A row has the first consumer's columns, the next one's, the lock's holder, and when it was updated.
    """

    def __init__(self, encoding: OrderedEncoding, world: Circumstances, limits: Limits, consumers: int = 2) -> None:
        told = max(limits.client, limits.broker, limits.unlock, limits.renewal)
        if told >= -OLDEST or max(limits.unlock, limits.first_pull) > LATEST:
            raise ValueError("longer limits than the ages that are told apart")
        self._encoding, self._world, self._limits = encoding, world, limits
        self._consumers, self._twins = consumers, world.name == TWIN

    def start(self) -> Rows:
        """Nobody has anything to do with the queue: one row."""
        return self._normal(np.zeros((1, self._consumers * len(OWN) + 2), dtype=np.int8))

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The states afterwards, where that is possible, and the places of the rows that they come from."""
        if happens.action == RESTARTS:
            after = rows.copy()
            after[:, -2] = NOBODY
            return after, np.arange(len(rows))
        action = _action(self._encoding, happens.action, self._world)
        said = {name: int(value) for name, value in happens.said}

        def given(rows: Rows) -> list[Rows | int]:
            columns = self._columns(rows, happens.who) | said
            return [columns[name] for name in NAMES]

        changed, (*own, holder, updated), possible = action.of(rows, given)
        for number, values in enumerate(own):
            changed[:, _own(happens.who).start + number] = values
        # Whoever else has the lock still has it.
        others = np.where(holder == OTHER, changed[:, -2], NOBODY)
        changed[:, -2] = np.where(holder == ME, self.id_of(happens.who), others)
        changed[:, -1] = updated
        return self._normal(changed), possible

    def _columns(self, rows: Rows, who: int) -> dict[str, Rows | int]:
        columns: dict[str, Rows | int] = dict(zip(OWN, rows[:, _own(who)].T, strict=True))
        own = self.id_of(who)
        holder = np.where(rows[:, -2] == NOBODY, NOBODY, np.where(rows[:, -2] == own, ME, OTHER))
        unused = dict.fromkeys(("now", *UNTOLD, *SAID), 0)
        return columns | {"holder": holder, "updated": rows[:, -1]} | unused | vars(self._limits)

    def id_of(self, who: int) -> int:
        """The consumer's client id in rows; in the terms it is ``ME`` who acts."""
        return ME if self._twins else ME + who

    def listed(self, rows: Rows, who: int) -> Rows:
        """By row, whether the queue is among those whose locks a consumer renews."""
        columns = self._columns(rows, who)
        (is_,) = _listed(self._encoding.listed)(*(columns[name] for name in NAMES))
        told: Rows = np.broadcast_to(is_, len(rows)).astype(bool)
        return told

    def waits(self, rows: Rows) -> Rows:
        """By row, whether a tick can pass."""
        may = np.ones(len(rows), dtype=bool)
        for who in range(self._consumers):
            columns = self._columns(rows, who)
            (can,) = _waiting(self._encoding.listed, self._world)(*(columns[name] for name in NAMES))
            may &= np.broadcast_to(can, len(rows))
        return may

    def later(self, rows: Rows) -> Rows:
        """The same a tick later."""
        later = rows.copy(order="K")
        for name in TIMES:
            for who in range(self._consumers):
                later[:, place(who, name)] -= 1
        later[:, -1] -= 1
        return self._normal(later)

    def _normal(self, rows: Rows) -> Rows:
        """The same rows, without what cannot be told apart by anything that comes."""
        for who in range(self._consumers):
            ended = rows[:, place(who, "closed")] != 0
            for name in ("stopping", "cut"):
                rows[ended, place(who, name)] = 0
            for name, flag in TIMES.items():
                told, time = rows[:, place(who, flag)] != 0, place(who, name)
                rows[:, time] = np.where(told, np.clip(rows[:, time], soonest(name, self._limits), LATEST), 0)
            # Behind it only those go on that have messages.
            over = (rows[:, place(who, "yielded")] != 0) & (rows[:, place(who, "cached")] == 0)
            rows[over, place(who, "waits_since")] = 0
        rows[:, -1] = np.where(rows[:, -2] == NOBODY, 0, np.clip(rows[:, -1], OLDEST, LATEST))
        return rows


class Packing:
    """Rows of two consumers as numbers, one a row: a flag is a digit, a time one with its flag.

    How many values a time has is known from the limits. Rows are normal: a time without its flag is 0.
    """

    def __init__(self, limits: Limits) -> None:
        first = {"since": -limits.listener, "answered_at": -limits.delay, "adding_at": -limits.delay}
        last = {"due": LATEST, "pulls_from": limits.first_pull}
        self._spans = {name: (first.get(name, soonest(name, limits)), last.get(name, 0)) for name in TIMES}
        flags = {flag: [name for name in TIMES if TIMES[name] == flag] for flag in TIMES.values()}
        weights, weight = np.zeros(2 * len(OWN) + 2, dtype=object), 1
        weights[-1], weight = -weight, weight * (1 - OLDEST)
        weights[-2], weight = weight, weight * 3
        for who in (0, 1):
            for flag, names in flags.items():
                one = least = weight
                for name in names:
                    lowest, highest = self._spans[name]
                    weights[place(who, name)] = weight
                    least -= lowest * weight
                    weight *= highest - lowest + 1
                # 0 without the flag; with it the first of all values of its times is 1.
                weights[place(who, flag)] += least
                weight += one
            for name in OWN:
                if name not in TIMES and name not in flags:
                    weights[place(who, name)] += weight
                    weight *= 2
        if weight > np.iinfo(np.int64).max:
            raise ValueError("more states than numbers")
        self._weights = weights.astype(np.int64)
        self.size = weight
        """Numbers are below."""

    def __call__(self, rows: Rows) -> Rows:
        """Raises ``ValueError`` for a time that no state has."""
        for who in (0, 1):
            for name, (lowest, highest) in self._spans.items():
                times = rows[:, place(who, name)]
                if len(times) and (times.min() < lowest or times.max() > highest):
                    raise ValueError(f"{name} is further away than the limits have it")
        return numbered(rows, self._weights)
