"""The allocation strategies.

To add a strategy, write its file in this folder and add it to ``STRATEGIES``.
"""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, MACHINE_ROOM_NEARBY_GO
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.allocation.strategy import Strategy

__all__ = ["ALL", "STRATEGIES", "Strategy"]

STRATEGIES: tuple[Strategy, ...] = (
    AVERAGELY,
    AVERAGELY_BY_CIRCLE,
    MACHINE_ROOM,
)
"""Strategies whose result depends only on the two lists.

Claims about other strategies have their own packages.
"""

ALL: tuple[Strategy, ...] = (
    *STRATEGIES,
    CONSISTENT_HASH,
    CONSISTENT_HASH_GO,
    MACHINE_ROOM_GO,
    MACHINE_ROOM_RUST,
    MACHINE_ROOM_NEARBY,
    MACHINE_ROOM_NEARBY_GO,
    CONFIG,
)
"""All strategies of all clients."""
