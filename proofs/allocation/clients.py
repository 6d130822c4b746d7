"""Claims about strategies with the same name that differ between clients."""

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, MACHINE_ROOM_NEARBY_GO
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.kinds import KINDS_COMPARED, KINDS_MIXED
from rebalance_proofs.model.worlds.rooms import ROOMS_COMPARED, ROOMS_MIXED
from rebalance_proofs.model.worlds.two_rings import RINGS_COMPARED, RINGS_MIXED
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.listed import COVERS_LISTED
from rebalance_proofs.proofs.allocation.observed import SAME
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee

DIFFERENT: tuple[tuple[tuple[Strategy, Strategy], Groups, Groups], ...] = (
    ((CONSISTENT_HASH, CONSISTENT_HASH_GO), RINGS_COMPARED, RINGS_MIXED),
    ((MACHINE_ROOM, MACHINE_ROOM_GO), KINDS_COMPARED, KINDS_MIXED),
    ((MACHINE_ROOM, MACHINE_ROOM_RUST), KINDS_COMPARED, KINDS_MIXED),
    ((MACHINE_ROOM_GO, MACHINE_ROOM_RUST), KINDS_COMPARED, KINDS_MIXED),
    ((MACHINE_ROOM_NEARBY, MACHINE_ROOM_NEARBY_GO), ROOMS_COMPARED, ROOMS_MIXED),
)
"""Strategies with the same name that compute different results.

Each pair has the assumptions of the claim that compares them, and of the claim about mixed groups.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about strategies that differ between clients, in the ledger's order."""
    found = []
    for strategies, compared, mixed in DIFFERENT:
        found.append(_claim(strategies, SAME, compared))
        covering = COVERS_LISTED if mixed is KINDS_MIXED else COVERS
        found += [_claim(strategies, guarantee, mixed) for guarantee in (DISJOINT, covering)]
    return tuple(found)


def _claim(strategies: tuple[Strategy, Strategy], guarantee: Guarantee, world: Groups) -> Claim:
    names = " and ".join(strategy.name for strategy in strategies)
    about = f"{strategies[0].rocketmq_name} ({names})"
    return stated("clients", strategies, guarantee, world, about=about, holds=False)
