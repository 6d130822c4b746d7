"""MACHINE_ROOM_NEARBY: the consumers of a machine room share the queues of that room.

All consumers share the queues of rooms without consumers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Allocate, AllocationError, Fault, Strategy, check
from rebalance_proofs.model.queues import MessageQueue, StringKey, to_string, utf16_units
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm, IntTerm
from rebalance_proofs.model.terms.values import Mutant

# MACHINE_ROOM_NEARBY as SMT terms, for any inner strategy.
# The terms state whether one consumer takes one queue.

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


@dataclass(frozen=True)
class MachineRoomResolver:
    """``AllocateMachineRoomNearby.MachineRoomResolver``, which the application implements."""

    broker_deploy_in: Callable[[MessageQueue], str | None]
    """``brokerDeployIn(messageQueue)``: the room of a queue."""
    consumer_deploy_in: Callable[[str], str | None]
    """``consumerDeployIn(clientID)``: the room of a consumer."""


ONE_ROOM = MachineRoomResolver(broker_deploy_in=lambda queue: "room1", consumer_deploy_in=lambda client_id: "room1")
"""A resolver that puts everything in one room, so that only the inner strategy matters."""


def machine_room_nearby(
    inner: Allocate | None, resolver: MachineRoomResolver | None, room_key: StringKey = utf16_units
) -> Allocate:
    """Return the strategy for an inner strategy and a resolver.

    Mirror of ``AllocateMachineRoomNearby(allocateMessageQueueStrategy, machineRoomResolver)``. ``room_key`` is the
    client's order of names, in which it takes the rooms without consumers.
    """
    if inner is None:
        raise Fault("allocateMessageQueueStrategy is null")
    if resolver is None:
        raise Fault("machineRoomResolver is null")

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        """Mirror of ``AllocateMachineRoomNearby.allocate``."""
        result: list[MessageQueue] = []
        if not check(current_cid, mq_all, cid_all):
            return result
        room_to_queues: dict[str, list[MessageQueue]] = {}
        for queue in mq_all:
            room = resolver.broker_deploy_in(queue)
            if not room:
                raise AllocationError(f"Machine room is null for mq {to_string(queue)}")
            room_to_queues.setdefault(room, []).append(queue)
        room_to_ids: dict[str, list[str]] = {}
        for client_id in cid_all:
            room = resolver.consumer_deploy_in(client_id)
            if not room:
                name = "null" if client_id is None else client_id
                raise AllocationError(f"Machine room is null for consumer id {name}")
            room_to_ids.setdefault(room, []).append(client_id)
        own_room = resolver.consumer_deploy_in(current_cid)
        if own_room in room_to_queues:
            add_all(result, inner(current_cid, room_to_queues.pop(own_room), room_to_ids[own_room]))
        for room in sorted(room_to_queues, key=room_key):
            if room not in room_to_ids:
                add_all(result, inner(current_cid, room_to_queues[room], cid_all))
        return result

    return allocate


def add_all(result: list[MessageQueue], queues: list[MessageQueue] | None) -> None:
    """Append the queues to the result like ``List.addAll``. Raises ``Fault`` for null."""
    if queues is None:
        raise Fault("the inner strategy returned null")
    result += queues


MACHINE_ROOM_NEARBY = Strategy(
    name="nearby",
    rocketmq_name="MACHINE_ROOM_NEARBY",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMachineRoomNearby#allocate",
    allocate=machine_room_nearby(AVERAGELY.allocate, ONE_ROOM),  # The constructor has no default arguments.
    encoding=NEARBY,
    holds=frozenset(),
    mutants=MUTANTS,
    configure=machine_room_nearby,
)


# MACHINE_ROOM_NEARBY of the Go client, which does not implement it.
# The result is that of AVG.


def machine_room_nearby_go(inner: Allocate, resolver: MachineRoomResolver) -> Allocate:
    """Return ``AllocateByMachineNearby``, which ignores the inner strategy and the resolver."""
    return AVERAGELY.allocate


MACHINE_ROOM_NEARBY_GO = Strategy(
    name="nearby-go",
    rocketmq_name="MACHINE_ROOM_NEARBY",
    source="github.com/apache/rocketmq-client-go/v2/consumer.AllocateByMachineNearby",
    allocate=AVERAGELY.allocate,
    encoding=AVERAGELY.encoding,
    holds=frozenset(),
    configure=machine_room_nearby_go,
)
