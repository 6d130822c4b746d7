"""The claims about movement: what a consumer that joins (or, read backwards, leaves) makes of who has which queue."""

from model.allocation.averagely import AVERAGELY
from model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from model.allocation.strategy import Strategy
from model.premises import JOINS
from proofs.claim import Claim, stated
from proofs.guarantee import Guarantee
from proofs.movement.apart import APART
from proofs.movement.attained import ATTAINED
from proofs.movement.bound import BOUND
from proofs.movement.kept import KEPT
from proofs.movement.monotone import MONOTONE
from proofs.movement.moved import MOVED
from proofs.movement.reshuffle import RESHUFFLE
from proofs.movement.shift import SHIFT
from proofs.movement.shrink import SHRINK

GIVES: tuple[tuple[Strategy, tuple[Guarantee, ...]], ...] = (
    (AVERAGELY, (MONOTONE, SHRINK, SHIFT, MOVED, BOUND, ATTAINED)),
    (AVERAGELY_BY_CIRCLE, (MONOTONE, SHRINK, KEPT, APART, RESHUFFLE)),
)
"""What is claimed of each strategy; a guarantee without obligations is claimed to fail."""


def claims() -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return tuple(promise(strategy, guarantee) for strategy, guarantees in GIVES for guarantee in guarantees)


def promise(strategy: Strategy, guarantee: Guarantee) -> Claim:
    """The strategy gives the guarantee when a consumer joins, or does not."""
    return stated(
        "movement", (strategy,), guarantee, JOINS, about=strategy.rocketmq_name, holds=bool(guarantee.obligations)
    )
