"""A run as a sequence: the member, what the broker has of the topic, and other members."""

from rebalance_proofs.model.subscriptions.state import IDLE
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.subscriptions.run import Run, Seen
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.sequence import Row, sequence
from rebalance_proofs.report.subscriptions.story import deed

__all__ = ["drawn"]

CLOCK = 74
"""Pixels: the column of times."""
LANES = ("member", "others")
SPOKE = ("arrives", "others", "prints", "pulls", "posts", "pulled")
"""Actions with the broker."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    rows = [_row(seen, before) for seen, before in zip(run.seen, (None, *run.seen), strict=False)]
    return sequence(claim.id, "Subscriptions of a group", example.sentence, "the topic", CLOCK, rows, LANES)


def _row(seen: Seen, before: Seen | None) -> Row:
    """A full bar while the member is refused, a narrow one while its heartbeat is under way."""
    return Row(
        mark=clock(seen.at),
        words=deed(seen, before),
        runs=(seen.refused, False),
        present=(seen.place != IDLE, False),
        broker=f"version {seen.version}" if seen.has else "none",
        free=not seen.has,
        spoke=seen.happens.who if seen.happens.action in SPOKE else None,
    )
