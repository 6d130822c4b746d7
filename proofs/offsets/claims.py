"""All claims about offsets: one table of who gives what."""

from collections.abc import Iterator

from rebalance_proofs.model.offsets.clients import CLIENTS, V5_0_ORDERLY, OffsetsClient, OrderlyClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.offsets.brokers import (
    COMMITTED,
    FIRST,
    IN_TURN,
    NOTHING_COMMITTED,
    OUT_OF_TURN,
    WITH_ERRORS,
    WITHOUT_GOODBYE,
    Brokers,
    ordered,
    skips,
)
from rebalance_proofs.proofs.offsets.guarantees import (
    BACK_AT_MOST,
    FROM_AN_OFFSET,
    NEVER_BACK,
    NOT_SKIPPED,
    ONCE,
    ONE_BATCH,
    ONLY_UNCOMMITTED,
)

__all__ = ["claims"]

FOR_ALL = "for all numbers of consumers, queues and messages"
EXISTS = "two consumers, one queue and one message suffice; the shortest run is shown"
ANSWERED = "if an offset is committed, and is answered without an error"
HANDED_OVER = "if one consumer comes after the other, and none ends at once"


def claims() -> tuple[Claim, ...]:
    """By client: what holds under all premises, and what becomes of it without one."""
    return tuple(claim for client in CLIENTS for claim in (_in_order if client.orderly else _of)(client))


def _of(client: OffsetsClient) -> Iterator[Claim]:
    yield from _skipped(client)
    for guarantee in (ONLY_UNCOMMITTED, BACK_AT_MOST):
        yield _claim(client, guarantee, COMMITTED, ANSWERED, "")
    for guarantee in (ONCE, NEVER_BACK):
        yield _claim(client, guarantee, COMMITTED, "", "", holds=False)


def _in_order(client: OffsetsClient) -> Iterator[Claim]:
    """With ordered listeners. Java 5.0 removes entries in another way than 5.2, and that is claimed about it."""
    assert isinstance(client, OrderlyClient)
    world = ordered(COMMITTED)
    if client is V5_0_ORDERLY:
        yield _claim(client, NOT_SKIPPED, world, ANSWERED, "")
    else:
        yield from _skipped(client)
        yield _claim(client, ONLY_UNCOMMITTED, world, ANSWERED, "")
        yield _claim(client, NEVER_BACK, world, "", "", holds=False)
        yield _claim(client, FROM_AN_OFFSET, world, ANSWERED, "", holds=client.heeds)
        for without in (OUT_OF_TURN, WITHOUT_GOODBYE):
            yield _without(client, ONE_BATCH, without, holds=False)
    for guarantee in (BACK_AT_MOST, ONE_BATCH):
        yield _claim(client, guarantee, IN_TURN, HANDED_OVER, "")
    yield _claim(client, ONCE, IN_TURN, "", "", holds=False)


def _skipped(client: OffsetsClient) -> Iterator[Claim]:
    def among(world: Brokers) -> Brokers:
        return ordered(world) if client.orderly else world

    yield _claim(client, NOT_SKIPPED, among(COMMITTED), ANSWERED, "")
    for world in (WITH_ERRORS, NOTHING_COMMITTED):
        yield _without(client, NOT_SKIPPED, among(world), holds=not skips(client, world))
    yield _claim(client, NOT_SKIPPED, among(FIRST), "if the group begins with the first offset", FIRST.name)


def _without(client: OffsetsClient, guarantee: Guarantee, world: Brokers, *, holds: bool) -> Claim:
    return _claim(client, guarantee, world, f"even if {world.otherwise}", f"without-{world.name}", holds=holds)


def _claim(
    client: OffsetsClient, guarantee: Guarantee, world: Brokers, when: str, variant: str, *, holds: bool = True
) -> Claim:
    sentence = f"{client.rocketmq_name}: {guarantee.sentence}{f', {when}' if when else ''}."
    obligations = guarantee.obligations(world) if holds else ()
    scope = FOR_ALL if holds else EXISTS
    return Claim("offsets", (client,), guarantee, world, holds, sentence, scope, guarantee.source, obligations, variant)
