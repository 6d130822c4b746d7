"""The world of MACHINE_ROOM with all kinds of broker names that clients treat differently.

The kinds are the names in ``model.allocation.broker_names.KINDS``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from rebalance_proofs.model.allocation.machine_room import KINDS, ROOMS, RoomEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import finite, how_many, simplify
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, alone, compared, mixed


@dataclass(frozen=True)
class Brokers:
    """The broker names of a group's queues (``model.group.Setting``)."""

    names: tuple[str, ...]
    listed: tuple[bool, ...]
    """For each queue, true if every client finds its broker in a room of consumeridcs."""
    rooms: tuple[str, ...] = tuple(sorted(ROOMS))
    """consumeridcs, which may contain a room twice."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence with all broker names, for the printed description of the group."""
        said = ", ".join(f"queue {place} on {name}" for place, name in enumerate(self.names))
        return (f"consumeridcs is {{{', '.join(self.rooms)}}}; {said}.",)


def settle(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], Brokers]:
    """Return the queues, configured strategies and broker names of the digits ``values``.

    There is one digit per queue: the kind of its broker name.
    """
    queues = tuple([queue_of(kind, place) for place, kind in enumerate(values)])
    everywhere = listed_everywhere(tuple(strategies))
    listed = tuple([kind in everywhere for kind in values])
    return queues, tuple(strategies), Brokers(tuple([KINDS[kind] for kind in values]), listed)


@cache
def queue_of(kind: int, place: int) -> MessageQueue:
    """Return the queue with index ``place``, on a broker whose name is of that kind."""
    return MessageQueue("T", KINDS[kind], place)


@cache
def listed_everywhere(strategies: tuple[Strategy, ...]) -> frozenset[int]:
    """Return the kinds of broker names that all these clients find in a room of consumeridcs."""
    return frozenset.intersection(*(listed_kinds(strategy.encoding) for strategy in strategies))


@cache
def listed_kinds(encoding: RoomEncoding) -> frozenset[int]:
    """Return the kinds of broker names that the client finds in a room of consumeridcs."""
    return frozenset(k for k in range(len(KINDS)) if smt.is_true(simplify(encoding.in_room(smt.IntVal(k)))))


def owned(encoding: RoomEncoding, which: int, n: int, q: int, kinds: Sequence[smt.IntTerm]) -> Owned:
    """Return for each consumer and position whether the consumer takes the queue.

    The client divides the selected queues; a queue's rank is its index among these.
    """
    kept = [encoding.keeps(kind) for kind in kinds]
    number = finite(how_many(kept), 0, q)
    ranks = [finite(how_many(kept[:place]), 0, place) for place in range(q)]
    return [
        [
            encoding.takes(number, smt.IntVal(n), smt.IntVal(index), smt.IntVal(place), kept[place], ranks[place])
            for place in range(q)
        ]
        for index in range(n)
    ]


def handed_out(encoding: RoomEncoding, n: int, q: int, kinds: Sequence[smt.IntTerm]) -> list[smt.BoolTerm]:
    """Return for each queue whether it is assigned: its broker is in a room of consumeridcs."""
    return [encoding.in_room(kind) for kind in kinds]


CASE = SettingFamily(
    radices=lambda n, q: (len(KINDS),) * q,
    settle=settle,
    names=lambda n, q: [f"kind{place}" for place in range(q)],
    owned=owned,
    handed_out=handed_out,
)
SENTENCE = "All consumers see the same lists and are configured with the same consumeridcs."

KIND_GROUPS = alone(CASE, bound=(5, 6), usual=(5, 5, 10), name="kinds", sentence=SENTENCE)
FEWER_KIND_GROUPS = alone(CASE, bound=(3, 4), name="kinds", sentence=SENTENCE)
"""The same world with a smaller enumeration.

It is for clients that differ from Java in a few kinds of broker names only.
"""
KINDS_COMPARED = compared(CASE, bound=(3, 4), name="kinds-of-two-clients", sentence=SENTENCE)
KINDS_MIXED = mixed(CASE, bound=(3, 4), source="https://github.com/apache/rocketmq/issues/2477")


# The world of MACHINE_ROOM in the Go client when consumeridcs contains a room twice.
# Broker names are of every kind. In Go, consumeridcs is a slice, and each queue of such a room is selected twice. The
# Java client has a Set, and the Rust client checks for membership, so the duplicate has no effect in them.

TWICE = (*ROOMS, *ROOMS)


def settle_twice(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], Brokers]:
    """Return the queues, configured strategies and broker names of the digits ``values``.

    There is one digit per queue: the kind of its broker name.
    """
    queues, once, brokers = settle(strategies, n, q, values)
    twice = tuple(strategy.configured(consumeridcs=TWICE) for strategy in once)
    return queues, twice, Brokers(brokers.names, brokers.listed, TWICE)


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


def owned_twice(encoding: RoomEncoding, which: int, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> Owned:
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
            radices=CASE.radices,
            settle=settle_twice,
            names=CASE.names,
            owned=owned_twice,
            handed_out=handed_out,
            lengths=lengths,
        ),
        bound=(3, 4),
        name="room-twice",
        sentence="All consumers see the same lists; in all of them consumeridcs lists a room twice.",
    ),
    beyond="consumeridcs lists a room twice",
)
