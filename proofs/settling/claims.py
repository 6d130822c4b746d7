"""Claims about settling: the guarantees that each client gives or breaks."""

from collections.abc import Iterator

from rebalance_proofs.model.settling.clients import CLIENTS, SettlingClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.kind import stated
from rebalance_proofs.proofs.settling.guarantees import alone, apart, as_long, one_wait, settles, waits, woken
from rebalance_proofs.proofs.settling.notices import (
    ANYHOW,
    FAILS,
    INTERRUPTED,
    INTERRUPTIBLE,
    NO_TIMER,
    RESUMED,
    SUCCEEDS,
    TIMELY,
    UNRESUMED,
    UNTIMELY,
)

__all__ = ["claims"]

FOR_ALL = "for all limits of time"
EXISTS = "the shortest run, in ticks, is shown"


def claims() -> tuple[Claim, ...]:
    """Return all claims about settling, client by client."""
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: SettlingClient) -> Iterator[Claim]:
    for guarantee, world, holds, variant in (
        (settles, SUCCEEDS, True, ""),
        (settles, FAILS, True, FAILS.name),
        (settles, NO_TIMER, False, ""),
        (as_long, SUCCEEDS, True, ""),
        *([(woken, SUCCEEDS, True, "")] if client.parks else [(woken, TIMELY, True, ""), (woken, UNTIMELY, False, "")]),
        (waits, ANYHOW, True, ""),
        (waits, INTERRUPTED, False, ""),
        (one_wait, INTERRUPTIBLE, not client.parks, ""),
        (alone, UNRESUMED, True, ""),
        (alone, RESUMED, False, ""),
        (apart, UNRESUMED, client.least, ""),
        *([(apart, RESUMED, False, "")] if client.least else []),
    ):
        scope = FOR_ALL if holds else EXISTS
        yield stated(client, guarantee(client), world, scope, holds=holds, variant=variant)
