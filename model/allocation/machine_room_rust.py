"""MACHINE_ROOM of the Rust client: as in Java, except for brokerNames that end in ``@``."""

from collections.abc import Collection

from rebalance_proofs.model.allocation.machine_room import MUTANTS_RUST, ROOM_RUST, ROOMS, machine_room_of, room_queues
from rebalance_proofs.model.allocation.strategy import Allocate, Strategy


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
