"""The world of MACHINE_ROOM_NEARBY with queues and consumers in three rooms in every way."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.config import by_config
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver, NearbyEncoding
from rebalance_proofs.model.allocation.ring import RingEncoding
from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import finite, how_many
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.rings import owner_among
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, alone, compared, mixed

NAMES = "ABC"


@dataclass(frozen=True)
class Rooms:
    """The rooms of all queues and consumers, one letter for each (``model.group.Setting``)."""

    of_queues: str
    of_consumers: str

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each room, for the printed description of the group."""
        said = []
        for room in sorted({*self.of_queues, *self.of_consumers}):
            ids = client_ids(len(self.of_consumers))
            inside = [client_id for client_id, name in zip(ids, self.of_consumers, strict=True) if name == room]
            inside += [f"queue {place}" for place, name in enumerate(self.of_queues) if name == room]
            said.append(f"Room {room}: {', '.join(inside)}.")
        return tuple(said)

    @property
    def resolver(self) -> MachineRoomResolver:
        """Return a ``MachineRoomResolver`` that knows these rooms."""
        consumers = dict(zip(client_ids(len(self.of_consumers)), self.of_consumers, strict=True))
        return MachineRoomResolver(lambda queue: self.of_queues[queue.queue_id], consumers.__getitem__)


def settle(
    inner: Strategy, strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], Rooms]:
    """Return the queues, configured strategies and rooms that the digits ``values`` encode.

    There is one digit for each queue's room and for each consumer's room. A strategy without constructor arguments
    ignores the rooms.
    """
    rooms = Rooms("".join(NAMES[digit] for digit in values[:q]), "".join(NAMES[digit] for digit in values[q:]))
    arguments = {"inner": inner.allocate, "resolver": rooms.resolver}
    settled = tuple(strategy.configured(**arguments) if strategy.configure else strategy for strategy in strategies)
    return strategies[0].queues(q), settled, rooms


def owned(encoding: NearbyEncoding | Encoding, which: int, n: int, q: int, rooms: Sequence[smt.IntTerm]) -> Owned:
    """Return for each consumer and position whether the consumer takes the queue.

    The inner strategy divides the queues of one room, among that room's consumers or among all.
    """
    of_queues, of_consumers = rooms[:q], rooms[q:]
    everybody = [smt.BoolVal(True)] * n
    if isinstance(encoding, Encoding):
        every_queue = [smt.BoolVal(True)] * q
        return [[among(encoding, every_queue, everybody, index, place) for place in range(q)] for index in range(n)]
    result = []
    for index in range(n):
        row = []
        for place, room in enumerate(of_queues):
            here = [other == room for other in of_queues]
            near = [own == room for own in of_consumers]
            row.append(
                encoding.takes(
                    of_consumers[index],
                    room,
                    smt.Or(near),
                    among(encoding.inner, here, near, index, place),
                    among(encoding.inner, here, everybody, index, place),
                    smt.BoolVal(False),  # The inner strategy returns only queues that it is given.
                )
            )
        result.append(row)
    return result


def among(
    inner: Encoding | RingEncoding,
    queues: Sequence[smt.BoolTerm],
    consumers: Sequence[smt.BoolTerm],
    index: int,
    place: int,
) -> smt.BoolTerm:
    """Return whether the inner strategy assigns queue ``place`` to the consumer at ``index``.

    ``queues`` and ``consumers``: for each, whether it is in the list that the inner strategy gets.
    """
    if isinstance(inner, RingEncoding):
        return owner_among(consumers, place) == index
    n, q = len(consumers), len(queues)
    return inner.owns(
        finite(how_many(list(queues)), 1, q),
        finite(how_many(list(consumers)), 1, n),
        finite(how_many(list(consumers[:index])), 0, index),
        finite(how_many(list(queues[:place])), 0, place),
    )


def case(inner: Strategy) -> SettingFamily:
    """Return the settings, which are rooms of queues and consumers, for an inner strategy."""
    return SettingFamily(
        radices=lambda n, q: (len(NAMES),) * (q + n),
        settle=partial(settle, inner),
        names=lambda n, q: [*(f"room{place}" for place in range(q)), *(f"home{place}" for place in range(n))],
        owned=owned,
    )


SENTENCE = "All consumers see the same lists and resolve rooms in the same way."
ROOMS_OF_AVG = alone(case(AVERAGELY), bound=(5, 6), usual=(5, 6, 9), name="rooms", sentence=SENTENCE)
ROOMS_OF_HASH = alone(case(CONSISTENT_HASH), bound=(5, 6), usual=(5, 6, 9), name="rooms", sentence=SENTENCE)
ROOMS_COMPARED = compared(case(AVERAGELY), bound=(3, 3), name="rooms-of-two-clients", sentence=SENTENCE)
ROOMS_MIXED = mixed(case(AVERAGELY), bound=(3, 3))


# The world of MACHINE_ROOM_NEARBY with CONFIG as its inner strategy.
# Each queue is in one consumer's configured list, and consumers are in any rooms. CONFIG returns its whole list
# whatever queues it is given. So it also returns queues of other rooms, and returns the list again for each room.


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


def settle_configured(
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


def owned_as_configured(encoding: NearbyEncoding, which: int, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> Owned:
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
        settle=settle_configured,
        names=names,
        owned=owned_as_configured,
        lengths=lengths,
    ),
    bound=(3, 2),
    name="configured-rooms",
    sentence="All consumers see the same lists and resolve rooms in the same way; each queue is configured once.",
)
