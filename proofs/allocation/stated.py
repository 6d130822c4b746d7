"""Construction of claims about strategies, with their sentences."""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation


def stated(
    room: str,
    subjects: tuple[Strategy, ...],
    guarantee: Guarantee,
    world: Groups,
    *,
    holds: bool = True,
    about: str = "",
    obligations: tuple[Obligation, ...] = (),
    scope: str = UNBOUNDED,
    variant: str | None = None,
    also: tuple[Groups, ...] = (),
) -> Claim:
    """The claim about strategies, with its sentence.

    ``about`` begins the sentence (default: the strategies' names). What the world lets happen ends it, and the world's
    source is then the claim's, unless the guarantee's own sentence speaks of it. ``variant`` defaults to the world's.
    For a claim that holds, ``obligations`` default to those of the guarantee in that world, and ``scope`` is its scope;
    for one that fails, only given obligations are tried.
    """
    even_if = "" if guarantee.premise else world.even_if
    return Claim(
        room,
        subjects,
        guarantee,
        world,
        holds,
        sentence=f"{about or called(subjects)}: {guarantee.sentence}{f', even if {even_if}' if even_if else ''}.",
        scope=scope if holds else EXISTS,
        source=world.source if even_if else guarantee.source,
        obligations=(obligations or guarantee.obligations(world)) if holds else obligations,
        variant=(f"without-{world.name}" if world.dropped else "") if variant is None else variant,
        also=also,
    )


def called(subjects: tuple[Strategy, ...]) -> str:
    """The beginning of the sentence: the strategies' names, and what part of the topic the claim is about."""
    shown = " and ".join(strategy.rocketmq_name for strategy in subjects)
    over = [strategy.over for strategy in subjects if strategy.over]
    return f"{shown}, {over[0]}" if over else shown
