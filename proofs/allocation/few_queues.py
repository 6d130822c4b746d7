"""The claims about how many consumers get a queue: whether anybody but the surplus is idle."""

from model.allocation import STRATEGIES
from model.allocation.consistent_hash import CONSISTENT_HASH
from model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from model.allocation.strategy import Strategy
from model.cases.ring_views import RINGS
from model.cases.rooms import ROOMS_OF_AVG
from model.premises import AGREED, Premise
from proofs.allocation import named
from proofs.allocation.served import SERVED
from proofs.claim import Claim, stated

FAILS = (
    (CONSISTENT_HASH, RINGS, CONSISTENT_HASH.rocketmq_name),
    (MACHINE_ROOM_NEARBY, ROOMS_OF_AVG, "MACHINE_ROOM_NEARBY over AVG"),
)


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return (
        *(_claim(strategy, AGREED, named((strategy,)), holds=True) for strategy in strategies),
        *(_claim(strategy, premise, about, holds=False) for strategy, premise, about in FAILS),
    )


def _claim(strategy: Strategy, premise: Premise, about: str, *, holds: bool) -> Claim:
    return stated("allocation", (strategy,), SERVED, premise, about=about, holds=holds)
