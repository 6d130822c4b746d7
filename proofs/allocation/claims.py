"""The claims about the allocation of one topic in one group, in the order of the ledger."""

from collections.abc import Iterator
from itertools import combinations
from types import SimpleNamespace

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.premises.strategies import SAME_SUBSCRIPTION
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import how_many
from rebalance_proofs.model.worlds.groups import AGREED, Groups, SymbolicGroup
from rebalance_proofs.model.worlds.ring_views import RINGS
from rebalance_proofs.model.worlds.rooms import ROOMS_OF_AVG
from rebalance_proofs.proofs.allocation.amounts import BALANCED, SHARES
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.listed import about_unlisted_queues
from rebalance_proofs.proofs.allocation.lists import CONTIGUOUS, SUBLIST
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# Guarantee: exactly min(q, c) consumers get a queue.
# Consumers are therefore idle only for lack of queues.
# For a topic with few queues, such as a group's retry topic, this is the number of consumers that ever get a message
# from it.


def _everyone(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"no more consumers than queues": v.c <= v.q}, e.count(v.q, v.c, v.i) >= 1
    )


def fewer(queues: smt.IntTerm, consumers: int) -> smt.IntTerm:
    """Return the smaller of the two numbers."""
    return smt.If(queues < consumers, queues, consumers)


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of consumers with a queue is not min(q, c)."""
    counts = [member.count for member in group.members]
    return how_many([count > 0 for count in counts]) != fewer(group.queues, len(counts))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of consumers with a queue, if it is not min(q, c)."""
    found, expected = sum(map(bool, results)), min(len(group.queues), len(group.consumers))
    if found == expected:
        return None
    return f"{found} of {len(group.consumers)} consumers have a queue, but min(q, c) is {expected}."


SERVED = Guarantee(
    name="served",
    sentence="Exactly min(q, c) consumers get a queue",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "everyone",
            "With at most as many consumers as queues, every consumer has a queue.",
            ("q", "c", "i"),
            _everyone,
        ),
        *IDLE.obligations(AGREED),
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee. With c > q it is equivalent to ``idle``."""


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
