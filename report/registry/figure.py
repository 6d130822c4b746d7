"""A run of a member and a broker as a sequence: the member's lane, the broker's, and what it would answer."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.registry.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.registry.story import deed, idle
from rebalance_proofs.report.sequence import Row, sequence

__all__ = ["drawn"]

CLOCK = 84
"""Pixels: the column of times."""
LANES = ("X", "broker")
SPOKE = ("finds", "unregisters", "breaks", "closes_old", "refreshes")
"""Actions that the member or its connection tells the broker by."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    rows = [_row(claim, seen) for seen in run.seen if not idle(seen)]
    title = "A member of a group, and a broker"
    return sequence(claim.id, title, example.sentence, "its answer", CLOCK, rows, LANES)


def _row(claim: Claim, seen: Seen) -> Row:
    return Row(
        mark=clock(seen.at),
        words=deed(claim, seen),
        runs=(seen.alive, False),
        present=(seen.link, True),
        broker=", ".join(seen.answer) if seen.answer else "nobody",
        free=not seen.answer,
        spoke=0 if seen.happens.action in SPOKE else None,
    )
