"""All claims about offsets: one table of who gives what."""

from collections.abc import Iterator

from rebalance_proofs.model.offsets.clients import CLIENTS, OffsetsClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.offsets.brokers import (
    COMMITTED,
    FIRST,
    NOTHING_COMMITTED,
    WITH_ERRORS,
    Brokers,
    skips,
)
from rebalance_proofs.proofs.offsets.guarantees import BACK_AT_MOST, NEVER_BACK, NOT_SKIPPED, ONCE, ONLY_UNCOMMITTED

__all__ = ["claims"]

FOR_ALL = "for all numbers of consumers, queues and messages"
EXISTS = "two consumers, one queue and one message suffice; the shortest run is shown"


def claims() -> tuple[Claim, ...]:
    """By client: what holds under all premises, and what becomes of it without one."""
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: OffsetsClient) -> Iterator[Claim]:
    yield _claim(client, NOT_SKIPPED, COMMITTED, "if an offset is committed, and is answered without an error", "")
    for world in (WITH_ERRORS, NOTHING_COMMITTED):
        holds = not skips(client, world)
        yield _claim(client, NOT_SKIPPED, world, f"even if {world.otherwise}", f"without-{world.name}", holds=holds)
    yield _claim(client, NOT_SKIPPED, FIRST, "if the group begins with the first offset", FIRST.name)
    for guarantee in (ONLY_UNCOMMITTED, BACK_AT_MOST):
        yield _claim(client, guarantee, COMMITTED, "if an offset is committed, and is answered without an error", "")
    for guarantee in (ONCE, NEVER_BACK):
        yield _claim(client, guarantee, COMMITTED, "", "", holds=False)


def _claim(
    client: OffsetsClient, guarantee: Guarantee, world: Brokers, when: str, variant: str, *, holds: bool = True
) -> Claim:
    sentence = f"{client.rocketmq_name}: {guarantee.sentence}{f', {when}' if when else ''}."
    obligations = guarantee.obligations(world) if holds else ()
    scope = FOR_ALL if holds else EXISTS
    return Claim("offsets", (client,), guarantee, world, holds, sentence, scope, guarantee.source, obligations, variant)
