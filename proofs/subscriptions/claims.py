"""All claims about subscriptions: one table of who gives what."""

from collections.abc import Iterator
from dataclasses import replace

from rebalance_proofs.model.subscriptions.clients import (
    PLAIN,
    PULLS_AT_ONCE,
    PULLS_LATER,
    WITH_V2,
    SubscriptionsClient,
)
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.subscriptions.guarantees import (
    ACCEPTED,
    ACCEPTED_SOON,
    ALL_TAGS,
    ANSWERED,
    ANSWERED_LATER,
    AS_LONG,
    AS_LONG_APART,
    CALM,
    EXACTLY,
    FIRST_PULL,
    NEVER_AGAIN,
    OWN_TAGS,
    POSTED,
    RESTLESS,
    Promise,
    made,
)
from rebalance_proofs.proofs.subscriptions.members import (
    ADDED,
    ALIKE,
    ANY,
    APART,
    BUSY,
    CROWDED,
    FOLLOWED,
    FORGOTTEN,
    FREE,
    LOCKED,
    NEWEST,
    ONLY_ONE,
    POSTING,
    QUICK,
    ROOM,
    SAME_TAGS,
    SKIPPED,
    SLOW,
    TAGS,
    UNALIKE,
    Members,
)

__all__ = ["claims"]

FOR_ALL = "for all numbers of members and topics, and all limits of time"
FOR_ONE = "for one member that subscribes to the topic, all numbers of others, and all limits of time"
EXISTS = "two members suffice; the shortest run, in ticks, is shown"
EVEN_SKIPPED = "even if that comes while a heartbeat of its process is under way, and its own is skipped"


def claims() -> tuple[Claim, ...]:
    """By client."""
    tables = tuple(claim for client in (PLAIN, WITH_V2) for claim in _of(client))
    return (*tables, *_of_first_pulls())


def _of_first_pulls() -> Iterator[Claim]:
    at_once = ", which is sent at once, though no heartbeat was under way when it was added"
    yield _claim(PULLS_AT_ONCE, FIRST_PULL, ADDED, at_once, holds=False)
    free = ", if a heartbeat takes less time than that is put off, and none was under way when it was added"
    yield _claim(PULLS_LATER, FIRST_PULL, QUICK, free)
    yield _without(PULLS_LATER, FIRST_PULL, BUSY)
    yield _without(PULLS_LATER, FIRST_PULL, SLOW)


def _of(client: SubscriptionsClient) -> Iterator[Claim]:
    plain = not client.fingerprints
    yield _claim(client, CALM, ALIKE, ", if all members subscribe to the same topics")
    if plain:
        yield _without(client, CALM, UNALIKE)
        yield _claim(client, EXACTLY, ANY)
        differ = ", if a member subscribes to a topic and another one does not"
        yield replace(_claim(client, RESTLESS, APART, differ), notices=("adds-only",))
    yield _claim(client, ACCEPTED_SOON, FREE, ", if no heartbeat was under way when that came")
    if plain:
        yield _without(client, ACCEPTED_SOON, LOCKED)
    yield _claim(client, ACCEPTED, SKIPPED, f", {EVEN_SKIPPED}", holds=plain)
    restart = ", or after the broker has forgotten the group"
    yield _claim(client, ACCEPTED, FORGOTTEN, restart, "forgotten", holds=plain)
    if not plain:
        only = ", if no other member subscribes to the topic, and heartbeats of the others leave it time for a pull"
        yield _claim(client, ANSWERED, ONLY_ONE, only, holds=False)
        yield _claim(client, ANSWERED_LATER, ONLY_ONE, only)
        return
    yield _without(client, ACCEPTED, UNALIKE)
    yield _claim(client, AS_LONG, SKIPPED)
    time = ", if heartbeats of members without the topic leave the member time for a pull after its own"
    yield _claim(client, ANSWERED, ROOM, time)
    yield _without(client, ANSWERED, CROWDED)
    yield _claim(client, AS_LONG_APART, ROOM)
    yield replace(_claim(client, NEVER_AGAIN, FOLLOWED), scope=FOR_ONE)
    yield _claim(client, OWN_TAGS, SAME_TAGS, ", if all members have the same expression")
    yield _claim(client, OWN_TAGS, NEWEST, ", if no other member's version is as new as its own", "newest")
    yield _without(client, OWN_TAGS, TAGS)
    yield _claim(client, POSTED, POSTING)
    yield _claim(client, ALL_TAGS, SAME_TAGS, ", if all members have the same expression")
    yield _without(client, ALL_TAGS, TAGS)


def _without(client: SubscriptionsClient, promise: Promise, world: Members) -> Claim:
    return _claim(client, promise, world, f", even if {world.otherwise}", f"without-{world.name}", holds=False)


def _claim(
    client: SubscriptionsClient,
    promise: Promise,
    world: Members,
    when: str = "",
    variant: str = "",
    *,
    holds: bool = True,
) -> Claim:
    guarantee = made(promise, client, holds=holds)
    return Claim(
        "subscriptions",
        (client,),
        guarantee,
        world,
        holds,
        f"{client.rocketmq_name}: {promise.sentence}{when}.",
        FOR_ALL if holds else EXISTS,
        guarantee.source,
        guarantee.obligations(world),
        variant,
    )
