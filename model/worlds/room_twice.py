"""The world of MACHINE_ROOM in the Go client when consumeridcs contains a room twice.

Broker names are of every kind. In Go, consumeridcs is a slice, and each queue of such a room is selected twice. The
Java client has a Set, and the Rust client checks for membership, so the duplicate has no effect in them.
"""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.machine_room import ROOMS
from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import finite, how_many
from rebalance_proofs.model.worlds import kinds
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, alone

TWICE = (*ROOMS, *ROOMS)


def settle(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], kinds.Brokers]:
    """Return the queues, configured strategies and broker names of the digits ``values``.

    There is one digit per queue: the kind of its broker name.
    """
    queues, once, brokers = kinds.settle(strategies, n, q, values)
    twice = tuple(strategy.configured(consumeridcs=TWICE) for strategy in once)
    return queues, twice, kinds.Brokers(brokers.names, brokers.listed, TWICE)


def kept_places(kept: Sequence[smt.BoolTerm]) -> smt.IntTerm:
    """Return the length of the client's list of selected queues, which has each of them twice.

    ``kept``: for each queue, whether it is selected.
    """
    return finite(2 * how_many(list(kept)), 0, 2 * len(kept))


def inside(kept: Sequence[smt.BoolTerm], n: int, index: int) -> smt.BoolTerm:
    """Return whether the consumer's block ends within mqAll; otherwise the client panics.

    ``kept``: for each queue, whether it is selected.
    """
    return (index + 1) * (kept_places(kept) / n) <= len(kept)


def owned(encoding: RoomEncoding, which: int, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> Owned:
    """Return for each consumer and position whether the consumer takes the queue.

    A selected queue is twice in the list that the client divides. A consumer that panics owns nothing.
    """
    kept = [encoding.keeps(kind) for kind in unknowns]
    number = kept_places(kept)
    ranks = [kept_places(kept[:place]) for place in range(q)]

    def takes(index: int, place: int) -> smt.BoolTerm:
        view = number, smt.IntVal(n), smt.IntVal(index), smt.IntVal(place), kept[place]
        return smt.Or(encoding.takes(*view, ranks[place]), encoding.takes(*view, ranks[place] + 1))

    return [[smt.And(inside(kept, n, index), takes(index, place)) for place in range(q)] for index in range(n)]


def lengths(encoding: RoomEncoding, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> list[smt.IntTerm]:
    """Return the length of each consumer's result: a block and one queue of the remainder.

    The remainder's queue may also be in the block.
    """
    kept = [encoding.keeps(kind) for kind in unknowns]
    count = [encoding.count(kept_places(kept), smt.IntVal(n), smt.IntVal(index)) for index in range(n)]
    return [smt.If(inside(kept, n, index), count[index], 0) for index in range(n)]


ROOM_TWICE = replace(
    alone(
        SettingFamily(
            radices=kinds.CASE.radices,
            settle=settle,
            names=kinds.CASE.names,
            owned=owned,
            handed_out=kinds.handed_out,
            lengths=lengths,
        ),
        bound=(3, 4),
        name="room-twice",
        sentence="All consumers see the same lists; in all of them consumeridcs lists a room twice.",
    ),
    beyond="consumeridcs lists a room twice",
)
