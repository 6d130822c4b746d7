"""The world of MACHINE_ROOM_NEARBY with CONFIG as its inner strategy.

Each queue is in one consumer's configured list, and consumers are in any rooms. CONFIG returns its whole list whatever
queues it is given. So it also returns queues of other rooms, and returns the list again for each room.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.config import by_config
from rebalance_proofs.model.allocation.nearby import NearbyEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import how_many
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.rooms import NAMES, Rooms
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, alone


@dataclass(frozen=True)
class ConfiguredRooms(Rooms):
    """The room of each queue and consumer, and the consumer whose list has each queue."""

    given: tuple[int, ...]
    """For each queue, the index of the consumer whose configured list has it."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each room and consumer, for the printed description of the group."""
        said = list(super().notes)
        for place, client_id in enumerate(client_ids(len(self.of_consumers))):
            names = [f"queue {queue}" for queue, owner in enumerate(self.given) if owner == place]
            said.append(f"{client_id} is configured with {', '.join(names) or 'an empty list'}.")
        return tuple(said)


def settle(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], ConfiguredRooms]:
    """Return the queues, configured strategies and rooms that the digits ``values`` encode.

    They give each queue's room, each consumer's room, and each queue's consumer.
    """
    rooms, given = "".join(NAMES[digit] for digit in values[: q + n]), tuple(values[q + n :])
    setting = ConfiguredRooms(rooms[:q], rooms[q:], given)
    queues = one_broker(q)
    lists = {
        client_id: by_config([queue for queue, owner in zip(queues, given, strict=True) if owner == place])
        for place, client_id in enumerate(client_ids(n))
    }

    def inner(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue] | None:
        """Return the consumer's own configured list, as the inner strategy CONFIG does."""
        return lists[current_cid](current_cid, mq_all, cid_all)

    return queues, tuple(one.configured(inner=inner, resolver=setting.resolver) for one in strategies), setting


def names(n: int, q: int) -> list[str]:
    """Return the names of the SMT unknowns: each room, and the consumer of each queue."""
    return [
        *(f"room{place}" for place in range(q)),
        *(f"home{place}" for place in range(n)),
        *(f"given{place}" for place in range(q)),
    ]


def asked(n: int, q: int, unknowns: Sequence[smt.IntTerm], index: int, place: int) -> smt.BoolTerm:
    """Return whether the consumer at ``index`` calls its inner strategy for the room of a queue.

    ``place``: the position of the queue.
    """
    room, homes = unknowns[place], unknowns[q : q + n]
    return smt.Or(homes[index] == room, smt.And([home != room for home in homes]))


def owned(encoding: NearbyEncoding, which: int, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> Owned:
    """Return for each consumer and position whether the consumer takes the queue.

    A consumer takes its configured list if it calls its inner strategy for any room.
    """
    rooms, homes, given = unknowns[:q], unknowns[q : q + n], unknowns[q + n :]

    def takes(index: int, place: int) -> smt.BoolTerm:
        listed = given[place] == index
        alive = smt.Or([home == rooms[place] for home in homes])
        elsewhere = [smt.And(rooms[other] != rooms[place], asked(n, q, unknowns, index, other)) for other in range(q)]
        stray = smt.And(listed, smt.Or(elsewhere))
        return encoding.takes(homes[index], rooms[place], alive, listed, listed, stray)

    return [[takes(index, place) for place in range(q)] for index in range(n)]


def lengths(encoding: NearbyEncoding, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> list[smt.IntTerm]:
    """Return the length of each consumer's result.

    A consumer's list is repeated for each room for which it calls its inner strategy.
    """
    rooms, given = unknowns[:q], unknowns[q + n :]
    first = [smt.And([rooms[other] != rooms[place] for other in range(place)]) for place in range(q)]
    found = []
    for index in range(n):
        listed = how_many([owner == index for owner in given])
        times = [smt.And(first[place], asked(n, q, unknowns, index, place)) for place in range(q)]
        found.append(smt.Sum([smt.If(again, listed, 0) for again in times]))
    return found


CONFIGURED_ROOMS = alone(
    SettingFamily(
        radices=lambda n, q: (*(len(NAMES),) * (q + n), *(n,) * q),
        settle=settle,
        names=names,
        owned=owned,
        lengths=lengths,
    ),
    bound=(3, 2),
    name="configured-rooms",
    sentence="All consumers see the same lists and resolve rooms in the same way; each queue is configured once.",
)
