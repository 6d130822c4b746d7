"""MACHINE_ROOM_NEARBY as terms, for any inner strategy: whether one consumer takes one queue."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.smt import BoolTerm, IntTerm

__all__ = ["MUTANTS", "NEARBY", "NearbyEncoding"]


Takes = Callable[[IntTerm, IntTerm, BoolTerm, BoolTerm, BoolTerm, BoolTerm], BoolTerm]


@dataclass(frozen=True)
class NearbyEncoding:
    """The condition on which a consumer takes a queue. Rooms are numbers that are only compared for equality."""

    takes: Takes
    """``takes(own, room, alive, near, everywhere, stray)``: the consumer takes the queue.

    ``own`` is the consumer's room, ``room`` the queue's, ``alive`` says whether any consumer is in the queue's room,
    ``near`` whether the inner strategy gives it the queue among the consumers of the queue's room, ``everywhere``
    whether it does among all consumers (both over the queues of that room). ``stray`` says whether the inner strategy
    gives it the queue when it is asked about the queues of another room, as CONFIG may."""
    inner: Any = AVERAGELY.encoding
    """The encoding of the inner strategy in the groups that claims are about."""


def takes(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """The right condition: ``near`` for a queue of the own room, ``everywhere`` for one of a room without consumers."""
    return smt.Or(stray, smt.If(own == room, near, smt.And(smt.Not(alive), everywhere)))


NEARBY = NearbyEncoding(takes)


def every_other_room(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Wrong: queues of every other room are shared among all, even of rooms with consumers."""
    return smt.Or(stray, smt.If(own == room, near, everywhere))


def own_room_only(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Wrong: queues of rooms without consumers are taken by nobody."""
    return smt.Or(stray, smt.And(own == room, near))


def everybody(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Wrong: queues of the own room are shared among all consumers, too."""
    return smt.Or(stray, smt.And(smt.Or(own == room, smt.Not(alive)), everywhere))


def nobody_else(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Wrong: ``near`` decides for every consumer, whatever its room."""
    return smt.Or(stray, near)


MUTANTS = (
    Mutant(
        "every-other-room",
        "The queues of every other room are shared among all, whether it has consumers or not.",
        NearbyEncoding(every_other_room),
        breaks="disjoint",
    ),
    Mutant(
        "forgotten-rooms",
        "The queues of rooms without consumers are left out.",
        NearbyEncoding(own_room_only),
        breaks="covers",
    ),
    Mutant(
        "own-room-among-all",
        "The queues of the own room are shared as if all consumers took part.",
        NearbyEncoding(everybody),
        breaks="covers",
    ),
    Mutant(
        "near-for-everywhere",
        "Whoever asks for the queues of another room is counted as one of its consumers.",
        NearbyEncoding(nobody_else),
        breaks="home",
    ),
)
