"""MACHINE_ROOM_NEARBY: the consumers of a machine room share the queues of that room.

All consumers share the queues of rooms without consumers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.check import AllocationError, check
from rebalance_proofs.model.allocation.fault import Fault
from rebalance_proofs.model.allocation.nearby import MUTANTS, NEARBY
from rebalance_proofs.model.allocation.strategy import Allocate, Strategy
from rebalance_proofs.model.orders import StringKey, utf16_units
from rebalance_proofs.model.queues import MessageQueue, to_string


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
