"""The claims about strategies under which others than the surplus can be idle."""

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.consistent_hash_go import CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.worlds.ring_views import RINGS
from rebalance_proofs.model.worlds.rooms import ROOMS_OF_AVG
from rebalance_proofs.proofs.allocation.served import SERVED
from rebalance_proofs.proofs.claim import Claim, stated


def claims() -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return tuple(
        stated("allocation", (strategy,), SERVED, world, about=about, holds=False)
        for strategy, world, about in (
            (CONSISTENT_HASH, RINGS, CONSISTENT_HASH.rocketmq_name),
            (CONSISTENT_HASH_GO, RINGS, f"{CONSISTENT_HASH_GO.rocketmq_name} (Go client)"),
            (MACHINE_ROOM_NEARBY, ROOMS_OF_AVG, "MACHINE_ROOM_NEARBY over AVG"),
        )
    )
