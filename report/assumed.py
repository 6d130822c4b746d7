"""The assumptions of a claim in words, apart from the definitions and the widenings that stand among them."""

import re
from collections.abc import Iterable

from rebalance_proofs.proofs.claim import Claim

__all__ = ["assumed", "sorted_out"]

DEFINED = re.compile(
    r"(a group loss|a listener call at removal|a live process queue|a round|a share|a skipped message|a table change"
    r"|an owned queue|an unbalanced group|an uncommitted message|done|empty input|exception|idle time|long enough"
    r"|maxHeartbeat|maxListenerTime|maxLockDelay|membership changes|no wait is long enough|refreshed|replacement|shifts"
    r"|stored|the batch|the exclusivity condition|the last change|the last change at both brokers"
    r"|the same process queues|the same table|the start offset): |[Br] = |for j = k, |the fewest queues stay for j = 0$"
)
"""Phrases that define a word of the sentence; they exclude nothing."""
COVERED = re.compile(r"any |whatever |with or without ")
"""Phrases that say what the claim covers besides; they exclude nothing either."""


def sorted_out(phrases: Iterable[str]) -> dict[str, str]:
    """``assumes``, ``where`` (definitions) and ``covers`` (widenings), each with its phrases; empty if it has none."""
    sorts: dict[str, list[str]] = {"assumes": [], "where": [], "covers": []}
    for one in phrases:
        sorts["where" if DEFINED.match(one) else "covers" if COVERED.match(one) else "assumes"].append(one)
    return {name: "; ".join(own) for name, own in sorts.items()}


def assumed(claim: Claim) -> str:
    """The line, such as ``Assumes: no broker restart; no clock steps.``; what a claim drops follows it."""
    parts = [f"{name.capitalize()}: {said}." for name, said in sorted_out(claim.assumes).items() if said]
    if claim.world.dropped:
        parts.append(f"Does not assume: {claim.world.drops}.")
    return " ".join(parts)
