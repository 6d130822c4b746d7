"""MACHINE_ROOM of the Go client when a room stands twice in consumeridcs, with broker names of every kind.

There consumeridcs is a slice, and each queue of such a room is kept twice. The Java client has a Set and the Rust
client asks whether the room is contained: for them nothing changes.
"""

from collections.abc import Sequence

import z3

from model.allocation.kept import RoomEncoding
from model.allocation.machine_room import ROOMS
from model.allocation.strategy import Strategy
from model.cases import kinds
from model.cases.case import Case, Owned, alone
from model.premises.premise import Values
from model.queues import MessageQueue
from model.terms.finite import finite, how_many

__all__ = ["ROOM_TWICE"]

TWICE = (*ROOMS, *ROOMS)


def settle(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], kinds.Brokers]:
    """A digit a queue: the kind of its broker's name."""
    queues, once, brokers = kinds.settle(strategies, n, q, values)
    twice = tuple(strategy.configured(consumeridcs=TWICE) for strategy in once)
    return queues, twice, kinds.Brokers(brokers.names, brokers.listed, TWICE)


def owned(encoding: RoomEncoding, which: int, n: int, q: int, unknowns: Sequence[z3.ArithRef]) -> Owned:
    """By both ranks of a kept queue. A consumer whose block ends behind mqAll panics, and has nothing."""
    kept = [encoding.keeps(kind) for kind in unknowns]
    number = finite(2 * how_many(kept), 0, 2 * q)
    ranks = [finite(2 * how_many(kept[:place]), 0, 2 * place) for place in range(q)]

    def takes(index: int, place: int, rank: z3.ArithRef) -> z3.BoolRef:
        return encoding.takes(number, z3.IntVal(n), z3.IntVal(index), z3.IntVal(place), kept[place], rank)

    ends = [(index + 1) * (number / n) for index in range(n)]
    return [
        [
            z3.And(ends[index] <= q, z3.Or(takes(index, place, ranks[place]), takes(index, place, ranks[place] + 1)))
            for place in range(q)
        ]
        for index in range(n)
    ]


ROOM_TWICE = alone(
    Case(
        radices=kinds.CASE.radices,
        settle=settle,
        names=kinds.CASE.names,
        owned=owned,
        handed_out=kinds.handed_out,
    ),
    # of four queues a result can name one twice; these terms only say which queues are in it
    bound=(4, 3),
    name="room-twice",
    sentence="All consumers see the same lists; a room stands twice in the consumeridcs of all.",
)
