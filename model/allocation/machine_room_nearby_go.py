"""MACHINE_ROOM_NEARBY of the Go client, which does not implement it.

The result is that of AVG.
"""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import Allocate, Strategy


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
