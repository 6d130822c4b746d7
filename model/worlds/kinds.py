"""MACHINE_ROOM with broker names of every kind on which clients may differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.allocation.broker_names import KINDS
from rebalance_proofs.model.allocation.machine_room import ROOMS
from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import finite, how_many
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, alone, compared, mixed

__all__ = ["FEWER_KIND_GROUPS", "KINDS_COMPARED", "KINDS_MIXED", "KIND_GROUPS", "Brokers"]


@dataclass(frozen=True)
class Brokers:
    """The broker names of a group's queues (``model.group.Setting``)."""

    names: tuple[str, ...]
    listed: tuple[bool, ...]
    """For each queue, true if every client considers its broker name to be in a listed room."""
    rooms: tuple[str, ...] = tuple(sorted(ROOMS))
    """consumeridcs, which may contain a room twice."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence with all names."""
        said = ", ".join(f"queue {place} on {name}" for place, name in enumerate(self.names))
        return (f"consumeridcs is {{{', '.join(self.rooms)}}}; {said}.",)


def settle(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], Brokers]:
    """Build the setting from its digits, one per queue: the kind of its broker name."""
    queues = tuple([queue_of(kind, place) for place, kind in enumerate(values)])
    everywhere = listed_everywhere(tuple(strategies))
    listed = tuple([kind in everywhere for kind in values])
    return queues, tuple(strategies), Brokers(tuple([KINDS[kind] for kind in values]), listed)


@cache
def queue_of(kind: int, place: int) -> MessageQueue:
    """Return the queue at that index, on a broker with a name of that kind."""
    return MessageQueue("T", KINDS[kind], place)


@cache
def listed_everywhere(strategies: tuple[Strategy, ...]) -> frozenset[int]:
    """Return the kinds of names that each of the clients considers to be in a listed room."""
    return frozenset.intersection(*(listed_kinds(strategy.encoding) for strategy in strategies))


@cache
def listed_kinds(encoding: RoomEncoding) -> frozenset[int]:
    """Return the kinds of names that are in a listed room."""
    return frozenset(k for k in range(len(KINDS)) if smt.is_true(simplify(encoding.in_room(smt.IntVal(k)))))


def owned(encoding: RoomEncoding, which: int, n: int, q: int, kinds: Sequence[smt.IntTerm]) -> Owned:
    """Return the ownership terms, by the queues' ranks among the selected queues."""
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
    """Return for each queue whether it is in a listed room."""
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
"""Smaller bounds for the clients that differ from Java in a few kinds only."""
KINDS_COMPARED = compared(CASE, bound=(3, 4), name="kinds-of-two-clients", sentence=SENTENCE)
KINDS_MIXED = mixed(CASE, bound=(3, 4), source="https://github.com/apache/rocketmq/issues/2477")
