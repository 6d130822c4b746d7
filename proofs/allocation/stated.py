"""Claims about strategies, and their sentences."""

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
    even_if: str | None = None,
    also: tuple[Groups, ...] = (),
) -> Claim:
    """The claim about strategies, and its sentence.

    ``about`` begins the sentence: the strategies by name, unless told. ``even_if`` ends it, where a premise is missing,
    which then is the claim's source too; it and ``variant`` are the world's, unless told. ``obligations`` are the
    guarantee's own in that world, unless told, where it holds; where it fails, those that are told are tried.
    ``scope`` is that of a claim that holds.
    """
    even_if = world.otherwise if even_if is None else even_if
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
    """The strategies by their names, and what of the topic the claim is about: the beginning of its sentence."""
    shown = " and ".join(strategy.rocketmq_name for strategy in subjects)
    over = [strategy.over for strategy in subjects if strategy.over]
    return f"{shown}, {over[0]}" if over else shown
