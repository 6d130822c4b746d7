"""MACHINE_ROOM of the Go client.

It takes the blocks from mqAll and not from the queues of the rooms. The Java client did so too before 4.8.0
(rocketmq#2477).
"""

from collections.abc import Collection, Sequence

from rebalance_proofs.model.allocation.machine_room import (
    MUTANTS_GO,
    MUTANTS_RUST,
    ROOM_GO,
    ROOM_RUST,
    ROOMS,
    machine_room_of,
    room_queues,
)
from rebalance_proofs.model.allocation.strategy import Allocate, Fault, Strategy, check
from rebalance_proofs.model.queues import MessageQueue


def machine_room_go(consumeridcs: Collection[str] | None = None) -> Allocate:
    """Return the strategy of Go's ``AllocateByMachineRoom(consumeridcs)``."""

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        """Mirror of the function that ``AllocateByMachineRoom`` returns."""
        result: list[MessageQueue] = []
        if not check(current_cid, mq_all, cid_all):
            return result
        index = cid_all.index(current_cid)
        premq_all: list[MessageQueue] = []
        for queue in mq_all:
            if queue is None:
                raise Fault("runtime error: invalid memory address or nil pointer dereference")
            # Go has no null string. Its split keeps empty parts at the end: room1@ has two.
            temp = (queue.broker_name or "").split("@")
            if len(temp) == 2:
                for idc in consumeridcs or ():
                    if idc == temp[0]:
                        premq_all.append(queue)
        average = len(premq_all) // len(cid_all)
        rem = len(premq_all) % len(cid_all)
        start_index = average * index
        end_index = start_index + average
        for i in range(start_index, end_index):
            if i >= len(mq_all):  # only a room that is named twice keeps more queues than there are
                raise Fault(f"runtime error: index out of range [{i}] with length {len(mq_all)}")
            result.append(mq_all[i])
        if rem > index:
            result.append(premq_all[index + average * len(cid_all)])
        return result

    return allocate


MACHINE_ROOM_GO = Strategy(
    name="room-go",
    rocketmq_name="MACHINE_ROOM",
    source="github.com/apache/rocketmq-client-go/v2/consumer.AllocateByMachineRoom",
    allocate=machine_room_go(ROOMS),
    encoding=ROOM_GO,
    holds=frozenset(),
    mutants=MUTANTS_GO,
    queues=room_queues,
    configure=machine_room_go,
)


# MACHINE_ROOM of the Rust client: as in Java, except for brokerNames that end in ``@``.


def rust_split(broker_name: str) -> list[str]:
    """Split a name with exactly one ``@``, not at its end, into two parts.

    Any other name has one part. So ``room1@b@`` is in no room.
    """
    room, at, broker = broker_name.partition("@")
    if at and broker and "@" not in broker:
        return [room, broker]
    return [broker_name]


def machine_room_rust(consumeridcs: Collection[str] | None = None) -> Allocate:
    """Return the strategy of ``AllocateMessageQueueByMachineRoom::new(consumer_idcs)``."""
    return machine_room_of(consumeridcs, rust_split)


MACHINE_ROOM_RUST = Strategy(
    name="room-rust",
    rocketmq_name="MACHINE_ROOM",
    source="rocketmq_model::allocation::AllocateMessageQueueByMachineRoom::allocate",
    allocate=machine_room_rust(ROOMS),
    encoding=ROOM_RUST,
    holds=frozenset(),
    mutants=MUTANTS_RUST,
    queues=room_queues,
    configure=machine_room_rust,
)
