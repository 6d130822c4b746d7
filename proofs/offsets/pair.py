"""Two consumers of one queue with one message as rows of small numbers; what can happen is the terms, compiled."""

from functools import cache

import numpy as np
import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.encoding import Act, OffsetsEncoding
from rebalance_proofs.model.offsets.orderly import NOWHERE
from rebalance_proofs.model.offsets.state import NONE, Said, State
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, WHERES
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.compiled import compiled
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.schedule import alone
from rebalance_proofs.proofs.offsets.variables import FLAGS, NAMES, OWN, SAID, SHARED, state_of, unknowns
from rebalance_proofs.proofs.rows import numbered

__all__ = ["Pair", "Rows", "packed"]

WHEN = {
    **dict.fromkeys(("began", "next"), ("present",)),
    "known": ("present", "asking"),
    "recorded": ("recording",),
    "answer": ("asking",),
    **dict.fromkeys(("sent", "origin"), ("sending",)),
    "stands": ("present",),
    "noted": ("noting",),
}
"""A number says something only where one of its flags is set."""
LEAST = {"memory": -1, "answer": BROKER_ERROR, "known": NONE, "committed": NONE, "next": NOWHERE}
"""The least that a number can be, but for 0."""
MOST = 2
"""One more than what is behind the message: room for wrong terms."""
MOST_IN_ORDER = 1
"""What is behind the message: an ordered consumer's numbers are more."""
NEVER = {
    False: ("fixed", "stands", "noting", "noted", "owed", "kept", "taken", "end"),
    True: ("given", "end"),
}
"""What stays as it is at first, by whether listeners are ordered."""
Rows = np.ndarray
"""One state a row: the first consumer's numbers, the second one's, what they share. No offset in memory is -1."""


@cache
def _kernel(act: Act, name: str, world: Brokers) -> Kernel:
    def allowed(state: State, said: Said) -> z3.BoolRef:
        return z3.And(world.allows(name, state, said), alone(name, state, said, world.orderly))

    return compiled(act, allowed)


@cache
def _bad(bad: Bad) -> Kernel:
    return compile_kernel(NAMES, bad(state_of(unknowns())))


class Pair:
    """What the two can do, with a message at offset 0 that nobody has consumed."""

    def __init__(self, encoding: OffsetsEncoding, world: Brokers) -> None:
        self._encoding, self._world = encoding, world
        self._most = MOST_IN_ORDER if world.orderly else MOST
        where = world.where or ConsumeFromWhere.LAST_OFFSET
        self._fixed = {"message": 0, "where": WHERES.index(where)} | dict.fromkeys(SAID, 0) | {"offset": 1}

    def start(self) -> Rows:
        """Neither has anything to do with the queue: one row."""
        row = np.zeros((1, WIDTH), dtype=np.int8)
        for who in (0, 1):
            row[:, who * len(OWN) + OWN.index("memory")] = -1
        row[:, SHARED_AT + SHARED.index("committed")] = 0 if self._world.committed else NONE
        row[:, SHARED_AT + SHARED.index("end")] = 1
        return row

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The states afterwards, where that is possible, and the places of the rows that they come from."""
        columns = self._columns(rows, happens.who) | {name: int(value) for name, value in happens.said}
        kernel = _kernel(getattr(self._encoding, happens.action), happens.action, self._world)
        can, *after = kernel(*(columns[name] for name in NAMES))
        possible = np.flatnonzero(np.broadcast_to(can, len(rows)))
        changed = rows[possible].copy()
        places = (*range(happens.who * len(OWN), (happens.who + 1) * len(OWN)), *range(SHARED_AT, WIDTH))
        for place, column in zip(places, after, strict=True):
            changed[:, place] = np.maximum(np.broadcast_to(column, len(rows))[possible], BROKER_ERROR)
        return normal(changed, self._most), possible

    def bad(self, rows: Rows, bad: Bad) -> Rows:
        """By row, whether it is so of one of the consumers."""
        found = np.zeros(len(rows), dtype=bool)
        for who in (0, 1):
            columns = self._columns(rows, who)
            found |= np.broadcast_to(_bad(bad)(*(columns[name] for name in NAMES))[0], len(rows)).astype(bool)
        return found

    def _columns(self, rows: Rows, who: int) -> dict[str, Rows | int]:
        begin = who * len(OWN)
        own = dict(zip(OWN, rows[:, begin : begin + len(OWN)].T, strict=True))
        memory = np.where(own["memory"] < 0, NO_OFFSET, own["memory"])
        return own | {"memory": memory} | dict(zip(SHARED, rows[:, SHARED_AT:].T, strict=True)) | self._fixed


SHARED_AT = 2 * len(OWN)
WIDTH = SHARED_AT + len(SHARED)


def normal(rows: Rows, most: int = MOST) -> Rows:
    """The same without what says nothing."""
    for who in (0, 1):
        begin = who * len(OWN)
        for name, flags in WHEN.items():
            told = [rows[:, begin + OWN.index(flag)] != 0 for flag in flags]
            rows[:, begin + OWN.index(name)] *= np.logical_or.reduce(told)
        memory = rows[:, begin + OWN.index("memory")]
        np.maximum(memory, -1, out=memory)
    np.minimum(rows, most, out=rows)
    return rows


@cache
def _weights(orderly: bool) -> tuple[Rows, int]:
    """What each column counts in a row's number, and the number of the least row."""
    weights, number, weight = np.zeros(WIDTH, dtype=object), 0, 1
    most = MOST_IN_ORDER if orderly else MOST
    for place, name in enumerate((*OWN, *OWN, *SHARED)):
        if name in NEVER[orderly]:
            continue
        least = LEAST.get(name, 0)
        weights[place], number = weight, number + least * weight
        weight *= 2 if name in FLAGS else most + 1 - least
    if weight >= 2**63:
        raise OverflowError("a state is more than an int64")
    return weights.astype(np.int64), number


def packed(rows: Rows, orderly: bool = False) -> Rows:
    """Each row as one number."""
    weights, least = _weights(orderly)
    return numbered(rows, weights) - least
