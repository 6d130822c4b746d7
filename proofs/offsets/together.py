"""Consumers of one queue with one message as rows of small numbers; what can happen is the terms, compiled."""

from collections.abc import Mapping
from functools import cache

import numpy as np
import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.by_loop import UNKNOWN
from rebalance_proofs.model.offsets.encoding import Act, OffsetsEncoding
from rebalance_proofs.model.offsets.orderly import NOWHERE
from rebalance_proofs.model.offsets.state import NONE, Said, State
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, WHERES
from rebalance_proofs.proofs.guarded import Guarded
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.compiled import compiled
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.schedule import alone
from rebalance_proofs.proofs.offsets.variables import FLAGS, NAMES, OWN, SAID, SHARED, state_of, unknowns
from rebalance_proofs.proofs.rows import Rows, numbered

__all__ = ["WHEN", "Rows", "Together", "packed"]

MISSING = -2
"""In the place of an offset: memory has none."""
WHEN = {
    "began": ("present", "listed"),
    "next": ("present",),
    "known": ("present", "asking"),
    "recorded": ("recording",),
    "answer": ("asking",),
    **dict.fromkeys(("sent", "origin"), ("sending",)),
    "stands": ("present",),
    "noted": ("noting",),
    "left_next": ("lingers",),
    "aim": ("resetting", "aimed"),
    "uncommitted": ("present", "asking"),
}
"""A number says something only where one of its flags is set."""
LEAST = {
    "memory": MISSING,
    "answer": BROKER_ERROR,
    "known": NONE,
    "committed": NONE,
    "copied": NONE,
    "next": NOWHERE,
    "sent": UNKNOWN,
}
"""The least that a number can be, but for 0."""
MORE = {Way.CONCURRENTLY: 2, Way.ORDERLY: 1, Way.BY_LOOP: 1}
"""How much more than the message's offset a number can be: one more than what is behind it leaves room for wrong terms,
where there are not so many numbers besides."""
OF_ORDER = ("fixed", "stands", "noting", "noted", "kept")
OF_A_LOOP = ("lingers", "left_next", "left_cached", "left_owed")
OF_PERSIST_ALL = ("listed", "unlisted")
OF_A_HANDOVER = ("uncommitted", "taken", "overtime", "excess")
NOT_OF_A_HANDOVER = ("origin", "back")
OF_FINISHING = ("interrupted", "cut", "finished", "remains")
NOT_OF_FINISHING = (*OF_A_HANDOVER, *NOT_OF_A_HANDOVER, "again", "kept", "known", "owed")
NOT_OF_A_REPLICA = ("origin", "back", "again", "begun_late")
OF_AN_ARRIVAL = ("owned", "awaited", "had", "begun")
OF_A_RESET = ("resetting", "rewound", "aim", "aimed", "missed", "ignored")
OF_NO_RESET = (
    *("again", "back", "consumed", "excess", "given", "kept", "known", "origin", "overtime", "taken", "uncommitted"),
    *("owed", "stands"),
)
OF_NO_ARRIVAL = ("origin", "back", "again", "kept", "known", "uncommitted", "overtime", "excess")
NEVER: Mapping[Way, tuple[str, ...]] = {
    Way.CONCURRENTLY: ("end", "owed", "remains", *OF_ORDER, *OF_A_LOOP),
    Way.ORDERLY: ("end", "given", *OF_A_LOOP, "begun_late", "uncommitted", "overtime", "excess"),
    Way.BY_LOOP: ("end", "given", "dropped", "recording", "recorded", *OF_ORDER, *OF_PERSIST_ALL),
}
"""What stays as it is at first."""


def never(world: Brokers) -> tuple[str, ...]:
    """The same in a world, with what is of no concern in it."""
    left_out = (*NEVER[world.way], *(() if world.finishing else OF_FINISHING))
    left_out = (*left_out, *(NOT_OF_A_REPLICA if world.replica else ("copied",)))
    if world.resets:
        return tuple({*left_out, *OF_AN_ARRIVAL, *OF_NO_RESET})
    left_out = (*left_out, *OF_A_RESET)
    if world.later:
        return tuple({*left_out, *OF_NO_ARRIVAL} - {"end"})
    left_out = (*left_out, *OF_AN_ARRIVAL)
    if world.finishing:
        return (*left_out, *NOT_OF_FINISHING)
    if world.orderly:
        return left_out
    return (*left_out, *(NOT_OF_A_HANDOVER if world.handed else OF_A_HANDOVER))


@cache
def _action(act: Act, name: str, world: Brokers) -> Guarded:
    def allowed(state: State, said: Said) -> z3.BoolRef:
        return z3.And(world.allows(name, state, said), alone(name, state, said, world.way))

    return compiled(act, allowed)


@cache
def _bad(bad: Bad) -> Kernel:
    return compile_kernel(NAMES, bad(state_of(unknowns())))


class Together:
    """What they can do, with a message that nobody has consumed, at the least offset that the world has.

    A row has the first consumer's numbers, the next one's, and what they share.
    """

    def __init__(self, encoding: OffsetsEncoding, world: Brokers, consumers: int = 2) -> None:
        self._encoding, self._world, self._consumers = encoding, world, consumers
        self._shared_at = consumers * len(OWN)
        self._most = most(world)
        where = world.where or ConsumeFromWhere.LAST_OFFSET
        self._message = world.least
        behind = {"offset": self._message + 1}
        self._fixed = {"message": self._message, "where": WHERES.index(where)} | dict.fromkeys(SAID, 0) | behind

    def start(self) -> Rows:
        """None has anything to do with the queue: one row."""
        row = np.zeros((1, self._shared_at + len(SHARED)), dtype=np.int8)
        for who in range(self._consumers):
            row[:, who * len(OWN) + OWN.index("memory")] = MISSING
        committed = self._message if self._world.committed else NONE
        row[:, self._shared_at + SHARED.index("committed")] = committed
        row[:, self._shared_at + SHARED.index("copied")] = committed if self._world.copied else NONE
        row[:, self._shared_at + SHARED.index("end")] = self._message + (0 if self._world.later else 1)
        return row

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The states afterwards, where that is possible, and the places of the rows that they come from."""
        action = _action(getattr(self._encoding, happens.action), happens.action, self._world)
        said = {name: int(value) for name, value in happens.said}

        def given(rows: Rows) -> list[Rows | int]:
            columns = self._columns(rows, happens.who) | said
            return [columns[name] for name in NAMES]

        changed, after, possible = action.of(rows, given)
        places = (*range(happens.who * len(OWN), (happens.who + 1) * len(OWN)), *range(self._shared_at, rows.shape[1]))
        for place, column in zip(places, after, strict=True):
            changed[:, place] = np.maximum(column, BROKER_ERROR)
        return normal(changed, self._most, self._consumers), possible

    def bad(self, rows: Rows, bad: Bad) -> Rows:
        """By row, whether it is so of one of the consumers."""
        found = np.zeros(len(rows), dtype=bool)
        for who in range(self._consumers):
            columns = self._columns(rows, who)
            found |= np.broadcast_to(_bad(bad)(*(columns[name] for name in NAMES))[0], len(rows)).astype(bool)
        return found

    def _columns(self, rows: Rows, who: int) -> dict[str, Rows | int]:
        begin = who * len(OWN)
        own = dict(zip(OWN, rows[:, begin : begin + len(OWN)].T, strict=True))
        memory = np.where(own["memory"] < UNKNOWN, NO_OFFSET, own["memory"])
        return own | {"memory": memory} | dict(zip(SHARED, rows[:, self._shared_at :].T, strict=True)) | self._fixed


def most(world: Brokers) -> int:
    """The largest number that is told apart."""
    return world.least + MORE[world.way]


def normal(rows: Rows, most: int, consumers: int) -> Rows:
    """The same without what says nothing."""
    for who in range(consumers):
        begin = who * len(OWN)
        for name, flags in WHEN.items():
            told = [rows[:, begin + OWN.index(flag)] != 0 for flag in flags]
            rows[:, begin + OWN.index(name)] *= np.logical_or.reduce(told)
        memory = rows[:, begin + OWN.index("memory")]
        np.maximum(memory, MISSING, out=memory)
    np.minimum(rows, most, out=rows)
    return rows


@cache
def _weights(world: Brokers) -> tuple[Rows, int]:
    """What each column counts in the number of a row of two consumers, and the number of the least row."""
    names = (*OWN, *OWN, *SHARED)
    weights, number, weight = np.zeros(len(names), dtype=object), 0, 1
    left_out = never(world)
    idle = range(len(OWN), 2 * len(OWN)) if world.lonely else ()
    for place, name in enumerate(names):
        if name in left_out or place in idle:
            continue
        least = LEAST.get(name, 0)
        weights[place], number = weight, number + least * weight
        weight *= 2 if name in FLAGS else most(world) + 1 - least
    if weight >= 2**63:
        raise OverflowError("a state is more than an int64")
    return weights.astype(np.int64), number


def packed(rows: Rows, world: Brokers) -> Rows:
    """Each row of two consumers as one number."""
    weights, least = _weights(world)
    return numbered(rows, weights) - least
