"""Construction of claims about strategies, with their sentences."""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.scope_words import even_if, without


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
    assuming: tuple[str, ...] = (),
) -> Claim:
    """The claim about strategies, with its sentence.

    ``about`` begins the sentence (default: the strategies' names). What the world lets happen ends it, and the world's
    source is then the claim's, unless the guarantee's own sentence speaks of it. ``variant`` defaults to the world's.
    For a claim that holds, ``obligations`` default to those of the guarantee in that world, and ``scope`` is its scope;
    for one that fails, only given obligations are tried. ``assuming``: see ``Claim``.
    """
    unusual = "" if guarantee.premise else even_if(world)
    return Claim(
        room,
        subjects,
        guarantee,
        world,
        holds,
        sentence=f"{guarantee.said(f'{about or called(subjects)}: ', unusual)}.",
        scope=scope if holds else EXISTS,
        source=world.source if unusual else guarantee.source,
        obligations=(obligations or guarantee.obligations(world)) if holds else obligations,
        variant=without(world) if variant is None else variant,
        also=also,
        assuming=assuming,
    )


def called(subjects: tuple[Strategy, ...]) -> str:
    """The beginning of the sentence: the strategies' names, and what part of the topic the claim is about."""
    shown = " and ".join(strategy.rocketmq_name for strategy in subjects)
    over = [strategy.over for strategy in subjects if strategy.over]
    return f"{shown}, {over[0]}" if over else shown
