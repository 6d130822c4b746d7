"""The claims about the allocation of one topic in one group, in the order of the ledger."""

from collections.abc import Iterator
from itertools import combinations

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.consistent_hash_go import CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.premises.same_subscription import SAME_SUBSCRIPTION
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.ring_views import RINGS
from rebalance_proofs.model.worlds.rooms import ROOMS_OF_AVG
from rebalance_proofs.proofs.allocation.balanced import BALANCED
from rebalance_proofs.proofs.allocation.contiguous import CONTIGUOUS
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.served import SERVED
from rebalance_proofs.proofs.allocation.shares import SHARES
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.allocation.sublist import SUBLIST
from rebalance_proofs.proofs.allocation.unlisted import about_unlisted_queues
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee

GUARANTEES: tuple[Guarantee, ...] = (DISJOINT, COVERS, SUBLIST, BALANCED, SHARES, IDLE, SERVED, CONTIGUOUS)
"""The guarantees about one group and one topic.

Each strategy declares which of them it gives (``Strategy.holds``, ``fails``).
"""

WITHOUT = (DISJOINT, COVERS)
"""Guarantees that are also claimed with one assumption dropped, for each assumption."""

RESTS_ON = {"disjoint", "covers", "shares"}
"""Guarantees that a strategy must give for the claim about unread queues.

Without them, consumers have other numbers of queues, or other queues are unread too.
"""

FEW_QUEUES = (
    (CONSISTENT_HASH, RINGS, CONSISTENT_HASH.rocketmq_name),
    (CONSISTENT_HASH_GO, RINGS, f"{CONSISTENT_HASH_GO.rocketmq_name} (Go client)"),
    (MACHINE_ROOM_NEARBY, ROOMS_OF_AVG, "MACHINE_ROOM_NEARBY over AVG"),
)
"""Strategies under which more consumers than c - q can be idle.

Each comes with the assumptions of the claim, and the beginning of its sentence.
"""


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """Return all claims about these strategies.

    Claims about strategies with more inputs than the two lists (mqAll, cidAll) are included.
    """
    return (
        *of_strategies(strategies),
        *few_queues(),
        *unread(strategies),
        *about_unlisted_queues(GUARANTEES),
    )


def of_strategies(strategies: tuple[Strategy, ...]) -> Iterator[Claim]:
    """Yield a claim for each strategy and guarantee, and one without each assumption."""
    for strategy in strategies:
        yield from (promise(strategy, one) for one in GUARANTEES if one.name in strategy.holds | strategy.fails)
    for world in PREMISES:
        for chosen in combinations(strategies, world.subjects):
            for guarantee in WITHOUT:
                if all(depends(strategy, guarantee, world) for strategy in chosen):
                    yield dependence(chosen, guarantee, world)


def depends(strategy: Strategy, guarantee: Guarantee, world: Groups) -> bool:
    """Return whether a claim is made about the strategy's guarantee without an assumption.

    ``world`` has the remaining assumptions.
    """
    return guarantee.name in strategy.holds and f"{guarantee.name}.without-{world.name}" not in strategy.unclaimed


def promise(strategy: Strategy, guarantee: Guarantee) -> Claim:
    """Return the claim that the strategy gives, or breaks, the guarantee under all assumptions."""
    holds, steps = guarantee.name in strategy.holds, guarantee.obligations(AGREED)
    return stated("allocation", (strategy,), guarantee, AGREED, holds=holds, obligations=steps)


def dependence(strategies: tuple[Strategy, ...], guarantee: Guarantee, world: Groups) -> Claim:
    """Return the claim about the guarantee without one assumption; most of these claims fail.

    ``world`` has the remaining assumptions.
    """
    return stated("allocation", strategies, guarantee, world, holds=bool(guarantee.obligations(world)))


def few_queues() -> Iterator[Claim]:
    """Yield the claims that more consumers than c - q can be idle under some strategies."""
    for strategy, world, about in FEW_QUEUES:
        yield stated("allocation", (strategy,), SERVED, world, about=about, holds=False)


def unread(strategies: tuple[Strategy, ...]) -> Iterator[Claim]:
    """Yield the claims about unread queues if only some members subscribe to a topic."""
    for strategy in strategies:
        if strategy.holds >= RESTS_ON:
            yield stated("allocation", (strategy,), UNREAD, SAME_SUBSCRIPTION)
