"""All claims about settling: the guarantees that each client gives or breaks in each world."""

from collections.abc import Iterator

from rebalance_proofs.model.settling.clients import CLIENTS, SettlingClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.kind import stated
from rebalance_proofs.proofs.settling.guarantees import alone, apart, as_long, settles, waits, woken
from rebalance_proofs.proofs.settling.notices import (
    ANYHOW,
    FAILS,
    NO_TIMER,
    RESUMED,
    SUCCEEDS,
    TIMELY,
    UNRESUMED,
    UNTIMELY,
    Notices,
)

__all__ = ["claims"]

FOR_ALL = "for all limits of time"
UNCALLED = "nobody resumes a consumer of its process, or resets its offsets"
EXISTS = "the shortest run, in ticks, is shown"


def claims() -> tuple[Claim, ...]:
    """All of these claims, client by client."""
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: SettlingClient) -> Iterator[Claim]:
    more = "and each one that begins after the change and fails adds at most one such wait and one such rebalance"
    for guarantee, world, holds, when, variant in (
        (settles, SUCCEEDS, True, "", ""),
        (settles, FAILS, True, f"; {more}", FAILS.name),
        (settles, NO_TIMER, False, "", ""),
        (as_long, SUCCEEDS, True, "", ""),
        (woken, TIMELY, True, f", if {_premise(TIMELY)}", ""),
        (woken, UNTIMELY, False, "", ""),
        (waits, ANYHOW, True, "", ""),
        (alone, UNRESUMED, True, f", if {UNCALLED}", ""),
        (alone, RESUMED, False, "", ""),
        (apart, UNRESUMED, client.least, f", if {UNCALLED}" if client.least else "", ""),
        *([(apart, RESUMED, False, "", "")] if client.least else []),
    ):
        scope = FOR_ALL if holds else EXISTS
        yield stated(client, guarantee(client), world, scope, holds=holds, when=when, variant=variant)


def _premise(world: Notices) -> str:
    sentence = world.sentence.split(". ")[0].rstrip(".")
    return sentence[0].lower() + sentence[1:]
