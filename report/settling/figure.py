"""A run of a rebalance thread as a sequence: the thread's lane, its latch, and those who wake it."""

from rebalance_proofs.model.settling.state import RUNS, WAITS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.settling.run import Run, Seen
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.sequence import Row, sequence
from rebalance_proofs.report.settling.story import deed

__all__ = ["drawn"]

CLOCK = 74
"""Pixels: the column of times."""
LANES = ("thread", "others")
SPOKE = ("looks", "resets", "clears", "notifies", "stirs", "counts")
"""Actions with the flag or the latch."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    rows = [_row(seen, before) for seen, before in zip(run.seen, (None, *run.seen), strict=False)]
    return sequence(claim.id, "A client's rebalance thread", example.sentence, "flag, latch", CLOCK, rows, LANES)


def _row(seen: Seen, before: Seen | None) -> Row:
    flag, latch = "set" if seen.flag else "clear", "open" if seen.open else "closed"
    return Row(
        mark=clock(seen.at),
        words=deed(seen, before),
        runs=(seen.place == RUNS, False),
        present=(seen.place == WAITS, False),
        broker=f"{flag}, {latch}",
        free=not seen.flag,
        spoke=seen.happens.who if seen.happens.action in SPOKE else None,
    )
