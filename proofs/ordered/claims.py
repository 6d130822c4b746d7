"""All claims about ordered consumption."""

from collections.abc import Iterator
from dataclasses import replace

from rebalance_proofs.model.ordered.clients import CLIENTS, OLDER, OrderedClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.kind import stated
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

    Older clients have only the first and the last of these, and the claim about groups with other clients. All that
    hold rest on a lemma: the machine asks for the lock at another time than the rest of a rebalance is done.
    """
    every = (claim for client in CLIENTS for claim in _of(client))
    return tuple(replace(claim, lemmas=(HALVES,)) if claim.holds else claim for claim in every)


def _of(client: OrderedClient) -> Iterator[Claim]:
    yield _exclusive(client, IN_TIME, "")
    if client not in OLDER:
        for world in PREMISES:
            yield _exclusive(client, world, "")
        yield _exclusive(client, RENEWED, RENEWED.name)
        if client.pulls_later:
            yield _exclusive(client, ALIKE, ALIKE.name)
        yield _exact(client, SOON_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME, RENEWED.name)
        yield _too_short(client)
    if needed(client, RENEWED_AS_SHIPPED.name):
        yield _exclusive(client, RENEWED_AS_SHIPPED, RENEWED_AS_SHIPPED.name)
    yield _exact(client, OUT_OF_TIME, "")
    yield stated(client, mixed(client), ONE_GROUP, ALL_LIMITS, holds=True)
    if client not in OLDER:
        for guarantee, world in (
            (one_call(client), ANYHOW),
            (lets_go(client), NOT_LATER),
            (kept_so_long(client), NOT_LATER),
        ):
            yield stated(client, guarantee, world, ALL_LIMITS, holds=True)
        if client.rules.waits_for_listener:
            yield _given_back(client)


def _given_back(client: OrderedClient) -> Claim:
    holds = not client.rules.renews_on
    return stated(client, returned_at_shutdown(client), PROMPT, ALL_LIMITS if holds else ONE_EXISTS, holds=holds)


def _too_short(client: OrderedClient) -> Claim:
    world = SHUT_TOO_SOON
    sentence = (
        f"{client.rocketmq_name}: whenever a consumer that is shut down does not wait for long enough, two listeners "
        f"can run on the same queue: {enough_in_words(client)}."
    )
    claim = stated(client, exact_limits(client), world, ANY_WAIT, holds=True, variant=world.name)
    return replace(claim, sentence=sentence)


def _exact(client: OrderedClient, world: Circumstances, variant: str) -> Claim:
    although = ", although every renewal is in time" if world.renewed else ""
    more = f"{although}. It is that {in_words(client, world)}"
    return stated(client, exact_limits(client), world, OUTSIDE, holds=True, more=more, variant=variant)


def _exclusive(client: OrderedClient, world: Circumstances, variant: str) -> Claim:
    holds = not needed(client, world.name)
    scope = FOR_ALL if holds else EXISTS
    more = _condition(client, world)
    return stated(client, exclusive_listener(client), world, scope, holds=holds, more=more, variant=variant)


def _condition(client: OrderedClient, world: Circumstances) -> str:
    """The condition of time in which the listener runs alone, of worlds that have all premises."""
    if world.even_if:
        return ""
    renewed = "that every renewal is in time, and that " if world.renewed else ""
    return f", if all premises hold: among them, {renewed}{in_words(client, world)}"
