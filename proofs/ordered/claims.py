"""All claims about ordered consumption."""

from collections.abc import Iterator

from rebalance_proofs.model.ordered.clients import CLIENTS, OLDER, OrderedClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.ordered.circumstances import (
    ANYHOW,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    PREMISES,
    RENEWED,
    RENEWED_AS_SHIPPED,
    Circumstances,
    needed,
)
from rebalance_proofs.proofs.ordered.guarantees import (
    LET_GO,
    LOCAL,
    MIXED,
    exact_limits,
    exclusive_listener,
    kept_so_long,
)
from rebalance_proofs.proofs.ordered.halves import HALVES

__all__ = ["claims"]

FOR_ALL = "for all numbers of consumers and queues, and all limits of time that meet the condition"
ALL_LIMITS = "for all numbers of consumers and queues, and all limits of time"
OUTSIDE = "for all limits of time that do not meet the condition"
EXISTS = "two consumers and one queue suffice; the shortest run, in ticks of ten seconds, is shown"


def in_words(client: OrderedClient, world: Circumstances) -> str:
    """The condition of time."""
    if world.renewed and client.renews_under_listener:
        return (
            "the delay, and the limit for renewals or else the client's limit and the listener's time, whichever is "
            "shorter, are together no longer than the broker's limit"
        )
    trusted = (
        "the shorter one of the client's limit and the limit for renewals" if world.renewed else "the client's limit"
    )
    kept = f"the delay, {trusted} and the listener's time are together no longer than the broker's limit"
    if not client.forces:
        return kept
    return f"{kept}, and {trusted} and the listener's time no longer than the unlock delay"


def claims() -> tuple[Claim, ...]:
    """By client: under all premises, without each of them, and that the condition of time is exact.

    Of older versions the first and the last alone.
    """
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: OrderedClient) -> Iterator[Claim]:
    sentence = f"{client.rocketmq_name}: {exclusive_listener(client).sentence}"
    condition = f"among them, {in_words(client, IN_TIME)}"
    yield _exclusive(client, IN_TIME, f"{sentence}, if all premises hold: {condition}.", "")
    if client not in OLDER:
        for world in PREMISES:
            yield _exclusive(client, world, f"{sentence}, even if {world.otherwise}.", f"without-{world.name}")
        condition = f"among them, that every renewal is in time, and that {in_words(client, RENEWED)}"
        yield _exclusive(client, RENEWED, f"{sentence}, if all premises hold: {condition}.", RENEWED.name)
        yield _exact(client, RENEWED, RENEWED.name)
    if needed(client, RENEWED_AS_SHIPPED.name):
        world = RENEWED_AS_SHIPPED
        yield _exclusive(
            client, world, f"{sentence}, even if every renewal is in time, with all settings as shipped.", world.name
        )
    yield _exact(client, IN_TIME, "")
    yield _proved(client, MIXED, ONE_GROUP)
    if client not in OLDER:
        for guarantee, world in ((LOCAL, ANYHOW), (LET_GO, NOT_LATER), (kept_so_long(client), NOT_LATER)):
            yield _proved(client, guarantee, world)


def _proved(client: OrderedClient, guarantee: Guarantee, world: Circumstances) -> Claim:
    sentence = f"{client.rocketmq_name}: {guarantee.sentence}."
    obligations = guarantee.obligations(world)
    return Claim("ordered", (client,), guarantee, world, True, sentence, ALL_LIMITS, guarantee.source, obligations)


def _exact(client: OrderedClient, world: Circumstances, variant: str) -> Claim:
    exact = exact_limits(client)
    although = ", although every renewal is in time" if world.renewed else ""
    return Claim(
        "ordered",
        (client,),
        exact,
        world,
        True,
        f"{client.rocketmq_name}: {exact.sentence}{although}. It is that {in_words(client, world)}.",
        OUTSIDE,
        exact.source,
        exact.obligations(world),
        variant,
    )


def _exclusive(client: OrderedClient, world: Circumstances, sentence: str, variant: str) -> Claim:
    guarantee = exclusive_listener(client)
    holds = not needed(client, world.name)
    return Claim(
        "ordered",
        (client,),
        guarantee,
        world,
        holds,
        sentence,
        FOR_ALL if holds else EXISTS,
        guarantee.source,
        guarantee.obligations(world) if holds else (),
        variant,
        lemmas=(HALVES,) if holds else (),
    )
