"""The kind ``subscriptions``: claims about subscriptions at the broker, for the engine."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from rebalance_proofs.model.subscriptions.clients import (
    PLAIN,
    PULLS_AT_ONCE,
    PULLS_LATER,
    SLIPS,
    WITH_V2,
    SubscriptionsClient,
)
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.kind import machine_kind, stated
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
from rebalance_proofs.proofs.subscriptions.guarantees import (
    accepted,
    accepted_soon,
    all_tags,
    answered,
    answered_later,
    as_long,
    as_long_apart,
    calm,
    exactly,
    first_pull,
    never_again,
    own_tags,
    own_tags_newest,
    posted,
    restless,
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
    SHOWN_APART,
    SHOWN_SKIPPED,
    SKIPPED,
    SLOW,
    TAGS,
    UNALIKE,
    Members,
)

# Claims about subscriptions: the guarantees that each client gives or breaks.

Made = Callable[[SubscriptionsClient], Guarantee]

FOR_ALL = "for all numbers of members and topics, and all limits of time"
FOR_ONE = "for one member that subscribes to the topic, all numbers of others, and all limits of time"
EXISTS = "two members suffice; the shortest run, in ticks, is shown"


def claims() -> tuple[Claim, ...]:
    """Return all claims about subscriptions, client by client."""
    tables = tuple(claim for client in (PLAIN, WITH_V2) for claim in _of(client))
    return (*tables, *_of_first_pulls())


def _of_first_pulls() -> Iterator[Claim]:
    yield _claim(PULLS_AT_ONCE, first_pull, ADDED, holds=False)
    yield _claim(PULLS_LATER, first_pull, QUICK)
    yield _without(PULLS_LATER, first_pull, BUSY)
    yield _without(PULLS_LATER, first_pull, SLOW)


def _of(client: SubscriptionsClient) -> Iterator[Claim]:
    plain = not client.fingerprints
    yield _claim(client, calm, ALIKE)
    if plain:
        yield _without(client, calm, UNALIKE)
        yield _claim(client, exactly, ANY)
        yield replace(_claim(client, restless, APART), notices=("adds-only",))
    yield _claim(client, accepted_soon, FREE)
    if plain:
        yield _without(client, accepted_soon, LOCKED)
    yield _claim(client, accepted, SKIPPED, holds=plain)
    yield _claim(client, accepted, FORGOTTEN, FORGOTTEN.name, holds=plain)
    if not plain:
        yield _claim(client, answered, ONLY_ONE, holds=False)
        yield _claim(client, answered_later, ONLY_ONE)
        return
    yield _without(client, accepted, UNALIKE)
    yield _claim(client, as_long, SHOWN_SKIPPED)
    yield _claim(client, answered, ROOM)
    yield _without(client, answered, CROWDED)
    yield _claim(client, as_long_apart, SHOWN_APART)
    yield replace(_claim(client, never_again, FOLLOWED), scope=FOR_ONE)
    yield _claim(client, own_tags, SAME_TAGS)
    yield _claim(client, own_tags_newest, NEWEST, NEWEST.name)
    yield _without(client, own_tags, TAGS)
    yield _claim(client, posted, POSTING)
    yield _claim(client, all_tags, SAME_TAGS)
    yield _without(client, all_tags, TAGS)


def _without(client: SubscriptionsClient, made: Made, world: Members) -> Claim:
    return _claim(client, made, world, holds=False)


def _claim(
    client: SubscriptionsClient,
    made: Made,
    world: Members,
    variant: str = "",
    *,
    holds: bool = True,
) -> Claim:
    scope = FOR_ALL if holds else EXISTS
    return stated(client, made(client), world, scope, holds=holds, variant=variant)


SUBSCRIPTIONS = machine_kind(CONFIGURATION, claims, SLIPS)
