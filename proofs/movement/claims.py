"""Claims about the queues that change hands when a consumer joins or leaves."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.movement.apart import APART
from rebalance_proofs.proofs.movement.attained import ATTAINED
from rebalance_proofs.proofs.movement.bound import BOUND
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.proofs.movement.moved import MOVED
from rebalance_proofs.proofs.movement.reshuffle import RESHUFFLE
from rebalance_proofs.proofs.movement.shift import SHIFT
from rebalance_proofs.proofs.movement.shrink import SHRINK
from rebalance_proofs.proofs.movement.staying import KEPT

GIVES: tuple[tuple[Strategy, tuple[Guarantee, ...]], ...] = (
    (AVERAGELY, (MONOTONE, SHRINK, SHIFT, MOVED, BOUND, ATTAINED)),
    (AVERAGELY_BY_CIRCLE, (MONOTONE, SHRINK, KEPT, APART, RESHUFFLE)),
)
"""Strategy -> the guarantees claimed of it.

A guarantee without obligations is claimed to fail.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about joins and leaves, in the order of the ledger."""
    return tuple(
        stated("movement", (strategy,), guarantee, JOINS, holds=bool(guarantee.obligations(JOINS)))
        for strategy, guarantees in GIVES
        for guarantee in guarantees
    )
