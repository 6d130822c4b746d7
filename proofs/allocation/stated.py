"""Construction of claims about strategies, with their sentences."""

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Claim, even_if, without
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
    assuming: tuple[str, ...] = (),
) -> Claim:
    """Return the claim that strategies give or break a guarantee, with its sentence.

    ``world`` has the assumptions. ``about`` begins the sentence (default: the strategies' names). The event that the
    assumptions allow ends it; the claim then has their source, unless the guarantee's own sentence mentions the
    event. ``variant`` defaults to that of the assumptions. A claim that holds has the guarantee's ``obligations`` and
    ``scope`` by default. For a claim that fails, only the given obligations are tried. ``assuming``: see ``Claim``.
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
    """Return the beginning of a claim's sentence: strategy names, and the part of the topic."""
    shown = " and ".join(strategy.rocketmq_name for strategy in subjects)
    over = [strategy.over for strategy in subjects if strategy.over]
    return f"{shown}, {over[0]}" if over else shown
