"""All claims about ordered consumption."""

from collections.abc import Iterator

from rebalance_proofs.model.ordered.clients import CLIENTS, OLDER, OrderedClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.ordered.circumstances import (
    ALIKE,
    ANYHOW,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    OUT_OF_TIME,
    PREMISES,
    PROMPT,
    RENEWED,
    RENEWED_AS_SHIPPED,
    RENEWED_OUT_OF_TIME,
    SHUT_TOO_SOON,
    SOON_OUT_OF_TIME,
    Circumstances,
    needed,
)
from rebalance_proofs.proofs.ordered.guarantees import (
    exact_limits,
    exclusive_listener,
    kept_so_long,
    lets_go,
    mixed,
    one_call,
    returned_at_shutdown,
)
from rebalance_proofs.proofs.ordered.halves import HALVES

__all__ = ["claims"]

FOR_ALL = "for all numbers of consumers and queues, and all limits of time that meet the condition"
ALL_LIMITS = "for all numbers of consumers and queues, and all limits of time"
OUTSIDE = "for all limits of time that do not meet the condition"
EXISTS = "two consumers and one queue suffice; the shortest run, in ticks of ten seconds, is shown"
ONE_EXISTS = "one consumer and one queue suffice; the shortest run is shown"
ANY_WAIT = "for all limits of time, and all waits that are too short"


def in_words(client: OrderedClient, world: Circumstances) -> str:
    """The condition of time, in words."""
    if world.alike:
        return _until_pulled(client)
    if world.renewed and client.renews_under_listener:
        return (
            "the delay, and the limit for renewals or else the client's limit and the listener's time, whichever is "
            "shorter, are together no longer than the broker's limit"
        )
    trusted = SHORTER if world.renewed else "the client's limit"
    kept = f"the delay, {trusted} and the listener's time are together no longer than the broker's limit"
    if not client.forces:
        return kept
    return f"{kept}, and {trusted} and the listener's time no longer than the unlock delay"


SHORTER = "the shorter one of the client's limit and the limit for renewals"


def _until_pulled(client: OrderedClient) -> str:
    kept = (
        f"the delay, {SHORTER} and the listener's time are together no longer than the broker's limit and the time for "
        "which a first pull is put off"
    )
    if not client.forces:
        return kept
    return (
        f"{kept}, and {SHORTER} and the listener's time no longer than the unlock delay and that time; or, instead of "
        "the latter, the listener's time is shorter than that time"
    )


def enough_in_words(client: OrderedClient) -> str:
    """How long a shutdown has to wait, in words."""
    if not client.rules.waits_for_listener:
        return "no wait is long enough: there is none"
    requests = "more than a request may go on and the listener's time together"
    if client.rules.renews_on:
        return f"it is long enough when it is {requests}"
    return (
        f"it is long enough when it is {requests}, or more than half of how late a request for the lock may be, the "
        "delay, the client's limit and the listener's time together"
    )


def claims() -> tuple[Claim, ...]:
    """Claims by client: under all premises, without each of them, and that the condition of time is exact.

    Older clients have only the first and the last of these, and the claim about groups with other clients.
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
        if client.pulls_later:
            condition = f"among them, that every renewal is in time, and that {in_words(client, ALIKE)}"
            yield _exclusive(client, ALIKE, f"{sentence}, if all premises hold: {condition}.", ALIKE.name)
        yield _exact(client, SOON_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME, RENEWED.name)
        yield _too_short(client)
    if needed(client, RENEWED_AS_SHIPPED.name):
        world = RENEWED_AS_SHIPPED
        yield _exclusive(client, world, f"{sentence}, even if {world.otherwise}.", world.name)
    yield _exact(client, OUT_OF_TIME, "")
    yield _proved(client, mixed(client), ONE_GROUP)
    if client not in OLDER:
        for guarantee, world in (
            (one_call(client), ANYHOW),
            (lets_go(client), NOT_LATER),
            (kept_so_long(client), NOT_LATER),
        ):
            yield _proved(client, guarantee, world)
        if client.rules.waits_for_listener:
            yield _given_back(client)


def _given_back(client: OrderedClient) -> Claim:
    guarantee, holds = returned_at_shutdown(client), not client.rules.renews_on
    return Claim(
        "ordered",
        (client,),
        guarantee,
        PROMPT,
        holds,
        f"{client.rocketmq_name}: {guarantee.sentence}.",
        ALL_LIMITS if holds else ONE_EXISTS,
        guarantee.source,
        guarantee.obligations(PROMPT),
    )


def _too_short(client: OrderedClient) -> Claim:
    exact = exact_limits(client)
    return Claim(
        "ordered",
        (client,),
        exact,
        SHUT_TOO_SOON,
        True,
        f"{client.rocketmq_name}: whenever a consumer that is shut down does not wait for long enough, two listeners "
        f"can run on the same queue: {enough_in_words(client)}.",
        ANY_WAIT,
        exact.source,
        exact.obligations(SHUT_TOO_SOON),
        SHUT_TOO_SOON.name,
    )


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
