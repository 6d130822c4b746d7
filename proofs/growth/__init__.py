"""The claims about queues that are added to a topic (read backwards: taken away): which others change hands."""

from model.allocation.averagely import AVERAGELY
from model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from model.allocation.consistent_hash import CONSISTENT_HASH
from model.allocation.machine_room import MACHINE_ROOM
from model.allocation.strategy import Strategy
from model.cases.ring_growth import RING_GROWS
from model.premises.grows import GROWS
from proofs.allocation import named
from proofs.claim import UNBOUNDED, Claim, stated
from proofs.growth.appended import APPENDED
from proofs.growth.prepended import PREPENDED
from proofs.growth.sides import SIDES
from proofs.growth.steady import STEADY
from proofs.growth.turned import TURNED
from proofs.guarantee import Guarantee
from proofs.hashing.claims import ANY_RING
from proofs.hashing.owner import SAME_OWNER

GIVES: tuple[tuple[Strategy, tuple[Guarantee, ...]], ...] = (
    (AVERAGELY, (STEADY, SIDES, APPENDED, PREPENDED)),
    (AVERAGELY_BY_CIRCLE, (STEADY, TURNED)),
    (MACHINE_ROOM, (STEADY,)),
)
"""What is claimed of each strategy; a guarantee without obligations is claimed to fail."""


def claims() -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return (
        *(_claim(strategy, guarantee) for strategy, guarantees in GIVES for guarantee in guarantees),
        stated(
            "growth",
            (CONSISTENT_HASH,),
            STEADY,
            RING_GROWS,
            about=CONSISTENT_HASH.rocketmq_name,
            holds=True,
            obligations=SAME_OWNER[:2],
            scope=ANY_RING,
        ),
    )


def _claim(strategy: Strategy, guarantee: Guarantee) -> Claim:
    holds = bool(guarantee.obligations)
    return stated("growth", (strategy,), guarantee, GROWS, about=named((strategy,)), holds=holds, scope=UNBOUNDED)
