"""Claims about the old queues that change hands when a topic gets more queues.

In reverse: when queues are removed.
"""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.ring_growth import RING_GROWS
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.growth.appended import APPENDED
from rebalance_proofs.proofs.growth.prepended import PREPENDED
from rebalance_proofs.proofs.growth.sides import SIDES
from rebalance_proofs.proofs.growth.steady import STEADY
from rebalance_proofs.proofs.growth.turned import TURNED
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.hashing.claims import ANY_RING
from rebalance_proofs.proofs.hashing.owner import SAME_OWNER

GIVES: tuple[tuple[Strategy, tuple[Guarantee, ...]], ...] = (
    (AVERAGELY, (STEADY, SIDES, APPENDED, PREPENDED)),
    (AVERAGELY_BY_CIRCLE, (STEADY, TURNED)),
    (MACHINE_ROOM, (STEADY,)),
)
"""Strategy -> the guarantees claimed of it.

A guarantee without obligations is claimed to fail.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about added or removed queues, in the order of the ledger."""
    return (
        *(
            stated("growth", (strategy,), guarantee, GROWS, holds=bool(guarantee.obligations(GROWS)))
            for strategy, guarantees in GIVES
            for guarantee in guarantees
        ),
        stated("growth", (CONSISTENT_HASH,), STEADY, RING_GROWS, obligations=SAME_OWNER[:2], scope=ANY_RING),
    )
