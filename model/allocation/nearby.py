"""MACHINE_ROOM_NEARBY as SMT terms, for any inner strategy.

The terms state whether one consumer takes one queue.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.smt import BoolTerm, IntTerm

Takes = Callable[[IntTerm, IntTerm, BoolTerm, BoolTerm, BoolTerm, BoolTerm], BoolTerm]


@dataclass(frozen=True)
class NearbyEncoding:
    """SMT encoding of MACHINE_ROOM_NEARBY: the condition under which a consumer takes a queue.

    Rooms are numbers that are only compared for equality.
    """

    takes: Takes
    """``takes(own, room, alive, near, everywhere, stray)``: whether it takes the queue.

    "It" is the consumer. ``own`` is the consumer's room, and ``room`` the queue's. ``alive`` is true if any
    consumer is in the queue's room. ``near`` and ``everywhere`` are results of the inner strategy, given the queues
    of the queue's room. ``near``: it assigns the queue to this consumer among the consumers of that room.
    ``everywhere``: among all consumers. ``stray``: the inner strategy assigns the queue to this consumer when given
    the queues of another room, as CONFIG may do.
    """
    inner: Any = AVERAGELY.encoding
    """The encoding of the inner strategy in the groups that claims are about."""


def takes(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Return the right condition for taking a queue; parameters: see ``NearbyEncoding.takes``.

    It is ``near`` in the consumer's own room, and ``everywhere`` in a room without consumers.
    """
    return smt.Or(stray, smt.If(own == room, near, smt.And(smt.Not(alive), everywhere)))


NEARBY = NearbyEncoding(takes)


def every_other_room(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Return a wrong condition: all consumers share the queues of every other room.

    They do so even for rooms with consumers.
    """
    return smt.Or(stray, smt.If(own == room, near, everywhere))


def own_room_only(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Return a wrong condition: no consumer takes queues of rooms without consumers."""
    return smt.Or(stray, smt.And(own == room, near))


def everybody(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Return a wrong condition: all consumers also share the queues of the consumer's own room."""
    return smt.Or(stray, smt.And(smt.Or(own == room, smt.Not(alive)), everywhere))


def nobody_else(
    own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
) -> BoolTerm:
    """Return a wrong condition: ``near`` decides for every consumer, whatever its room is."""
    return smt.Or(stray, near)


MUTANTS = (
    Mutant(
        "every-other-room",
        "All consumers share the queues of every other room, whether that room has consumers or not.",
        NearbyEncoding(every_other_room),
        breaks="disjoint",
    ),
    Mutant(
        "forgotten-rooms",
        "Queues of rooms without consumers are left out.",
        NearbyEncoding(own_room_only),
        breaks="covers",
    ),
    Mutant(
        "own-room-among-all",
        "All consumers share the queues of the consumer's own room.",
        NearbyEncoding(everybody),
        breaks="covers",
    ),
    Mutant(
        "near-for-everywhere",
        "A consumer that allocates queues of another room counts as a consumer of that room.",
        NearbyEncoding(nobody_else),
        breaks="home",
    ),
)
