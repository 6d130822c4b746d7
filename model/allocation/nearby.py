"""MACHINE_ROOM_NEARBY as terms, over any inner strategy: one queue and one consumer, and what the inner one says."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import z3

from model.allocation.averagely import AVERAGELY
from model.allocation.strategy import Mutant

__all__ = ["MUTANTS", "NEARBY", "NearbyEncoding"]


@dataclass(frozen=True)
class NearbyEncoding:
    """Who takes a queue. Rooms are numbers of which only equality is used."""

    takes: Callable[..., z3.BoolRef]
    """``takes(own, room, alive, near, everywhere)``: the consumer takes the queue.

    ``own`` is the consumer's room, ``room`` the queue's, ``alive`` says whether any consumer is in the queue's room,
    ``near`` whether the inner strategy gives it the queue among the consumers of the queue's room, ``everywhere``
    whether it does among all consumers (both over the queues of that room)."""
    inner: Any = AVERAGELY.encoding
    """The encoding of the inner strategy of the groups in which it is examined."""


def takes(own, room, alive, near, everywhere):
    """Of the own room by what the inner strategy says there; of a room without consumers by what it says of all."""
    return z3.If(own == room, near, z3.And(z3.Not(alive), everywhere))


NEARBY = NearbyEncoding(takes)

MUTANTS = (
    Mutant(
        "every-other-room",
        "The queues of every other room are shared among all, whether it has consumers or not.",
        NearbyEncoding(lambda own, room, alive, near, everywhere: z3.If(own == room, near, everywhere)),
        breaks="disjoint",
    ),
    Mutant(
        "forgotten-rooms",
        "The queues of rooms without consumers are left out.",
        NearbyEncoding(lambda own, room, alive, near, everywhere: z3.And(own == room, near)),
        breaks="covers",
    ),
    Mutant(
        "own-room-among-all",
        "The queues of the own room are shared as if all consumers took part.",
        NearbyEncoding(
            lambda own, room, alive, near, everywhere: z3.And(z3.Or(own == room, z3.Not(alive)), everywhere)
        ),
        breaks="covers",
    ),
    Mutant(
        "near-for-everywhere",
        "Whoever asks for the queues of another room is counted as one of its consumers.",
        NearbyEncoding(lambda own, room, alive, near, everywhere: near),
        breaks="home",
    ),
)
