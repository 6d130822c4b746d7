"""All claims about offsets: one table of who gives what."""

from collections.abc import Iterator
from dataclasses import replace

from rebalance_proofs.model.offsets.clients import BY_LOOP as LOOPING
from rebalance_proofs.model.offsets.clients import (
    CONCURRENT,
    ORDERLY,
    V5_0_ORDERLY,
    JavaClient,
    OffsetsClient,
    OrderlyClient,
)
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.offsets.brokers import (
    AT_ZERO,
    BY_LOOP,
    CLOSING,
    COMMITTED,
    FAILING,
    FIRST,
    FIRST_BY_LOOP,
    HANDED_OVER,
    HANDED_OVER_BY_LOOP,
    HELD_BY_TWO,
    IN_TURN,
    NOTHING_COMMITTED,
    NOTHING_COMMITTED_BY_LOOP,
    OUT_OF_TURN,
    WITH_ERRORS,
    WITHOUT_GOODBYE,
    Brokers,
    ordered,
)
from rebalance_proofs.proofs.offsets.guarantees import (
    BACK_AT_MOST,
    BUT_OVERTIME,
    FROM_AN_OFFSET,
    HAND_OVER,
    NEVER_BACK,
    NOT_SKIPPED,
    ONCE,
    ONE_BATCH,
    ONLY_UNCOMMITTED,
    STOPS,
)
from rebalance_proofs.proofs.offsets.mixed import claims_of_pairs

__all__ = ["claims"]

FOR_ALL = "for all numbers of consumers, queues and messages"
EXISTS = "two consumers, one queue and one message suffice; the shortest run is shown"
ANSWERED = "if an offset is committed, and is answered without an error"
ABOVE = "if an offset above 0 is committed, every query is answered, and no consumer is shut down that has messages"
HANDED = "if one consumer comes after the other, and none ends at once"
AFTER = "if a consumer asks for it when the entry of the one before has left its table"
FROM_FIRST = "if the group begins with the first offset"
MQ_PUSH_CONSUMER = "https://github.com/ali-sdk/ali-ons/blob/v3.12.2/lib/consumer/mq_push_consumer.js"


def claims() -> tuple[Claim, ...]:
    """By client: what holds under all premises, and what becomes of it without one."""
    return (
        *(claim for client in CONCURRENT for claim in _concurrently(client)),
        *(claim for client in LOOPING for claim in _by_loop(client)),
        *(claim for client in ORDERLY for claim in _in_order(client)),
        *claims_of_pairs(),
    )


def _concurrently(client: JavaClient) -> Iterator[Claim]:
    yield from _skipped(client, COMMITTED)
    for guarantee in (ONLY_UNCOMMITTED, BACK_AT_MOST):
        yield _claim(client, guarantee, COMMITTED, ANSWERED, "")
    for guarantee in (ONCE, NEVER_BACK):
        yield _claim(client, guarantee, COMMITTED, "", "", holds=False)
    yield _claim(client, HAND_OVER, HANDED_OVER, f"{AFTER}, {ANSWERED.removeprefix('if ')}", "")
    yield _without(client, HAND_OVER, HELD_BY_TWO, holds=False)
    yield _claim(client, BUT_OVERTIME, HANDED_OVER, "", "", holds=False)


def _by_loop(client: OffsetsClient) -> Iterator[Claim]:
    """Node: nearly every premise that it can go without is one that Java's clients can go without, too."""
    claims_ = [
        _claim(client, NOT_SKIPPED, BY_LOOP, ABOVE, ""),
        *(
            _without(client, NOT_SKIPPED, world, holds=False)
            for world in (FAILING, NOTHING_COMMITTED_BY_LOOP, AT_ZERO, CLOSING)
        ),
        _claim(
            client,
            NOT_SKIPPED,
            FIRST_BY_LOOP,
            f"{FROM_FIRST}, and no consumer is shut down that has messages",
            FIRST.name,
        ),
        *(_claim(client, guarantee, BY_LOOP, ABOVE, "") for guarantee in (ONLY_UNCOMMITTED, BACK_AT_MOST)),
        _without(client, BACK_AT_MOST, AT_ZERO, holds=False),
        *(_claim(client, guarantee, BY_LOOP, "", "", holds=False) for guarantee in (STOPS, ONCE, NEVER_BACK)),
        *(
            _claim(client, guarantee, HANDED_OVER_BY_LOOP, "", "", holds=False)
            for guarantee in (HAND_OVER, BUT_OVERTIME)
        ),
    ]
    yield from (replace(claim, source=MQ_PUSH_CONSUMER) for claim in claims_)


def _in_order(client: OrderlyClient) -> Iterator[Claim]:
    """With ordered listeners. Java 5.0 removes entries in another way than 5.2, and that is claimed about it."""
    world = ordered(COMMITTED)
    if client is V5_0_ORDERLY:
        yield _claim(client, NOT_SKIPPED, world, ANSWERED, "")
    else:
        yield from _skipped(client, world)
        yield _claim(client, ONLY_UNCOMMITTED, world, ANSWERED, "")
        yield _claim(client, NEVER_BACK, world, "", "", holds=False)
        yield _claim(client, FROM_AN_OFFSET, world, ANSWERED, "", holds=client.heeds)
        for without in (OUT_OF_TURN, WITHOUT_GOODBYE):
            yield _without(client, ONE_BATCH, without, holds=False)
    for guarantee in (BACK_AT_MOST, ONE_BATCH):
        yield _claim(client, guarantee, IN_TURN, HANDED, "")
    yield _claim(client, ONCE, IN_TURN, "", "", holds=False)


def _skipped(client: JavaClient, committed: Brokers) -> Iterator[Claim]:
    def among(world: Brokers) -> Brokers:
        return ordered(world) if committed.orderly else world

    yield _claim(client, NOT_SKIPPED, committed, ANSWERED, "")
    yield _without(client, NOT_SKIPPED, among(WITH_ERRORS), holds=not client.rebalance.broker_error_is_none)
    yield _without(client, NOT_SKIPPED, among(NOTHING_COMMITTED), holds=False)
    yield _claim(client, NOT_SKIPPED, among(FIRST), FROM_FIRST, FIRST.name)


def _without(client: OffsetsClient, guarantee: Guarantee, world: Brokers, *, holds: bool) -> Claim:
    return _claim(client, guarantee, world, f"even if {world.otherwise}", f"without-{world.name}", holds=holds)


def _claim(
    client: OffsetsClient, guarantee: Guarantee, world: Brokers, when: str, variant: str, *, holds: bool = True
) -> Claim:
    sentence = f"{client.rocketmq_name}: {guarantee.sentence}{f', {when}' if when else ''}."
    obligations = guarantee.obligations(world) if holds else ()
    scope = FOR_ALL if holds else EXISTS
    return Claim("offsets", (client,), guarantee, world, holds, sentence, scope, guarantee.source, obligations, variant)
