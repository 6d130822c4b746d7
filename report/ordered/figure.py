"""A run of two consumers as a sequence, its lock's holder as a colour in the broker's lane."""

from rebalance_proofs.model.ordered.state import NOBODY
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.run import Run, Seen
from rebalance_proofs.proofs.ordered.schedule import RESTARTS
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.ordered.story import deed, holder
from rebalance_proofs.report.sequence import Row, sequence

__all__ = ["drawn"]

CLOCK = 74
"""Pixels: the column of times."""
SERVED = ("renews", "locks", "returned")
"""Actions between a consumer and the broker."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    rows = [_row(run, seen) for seen in run.seen]
    return sequence(claim.id, "Two listeners on one queue", example.sentence, "broker's lock", CLOCK, rows)


def _row(run: Run, seen: Seen) -> Row:
    return Row(
        mark=clock(seen.at),
        words=deed(seen) if seen.happens.action != RESTARTS else "The broker restarts",
        runs=seen.runs,
        present=seen.present,
        broker=holder(run, seen),
        free=seen.holder == NOBODY,
        spoke=seen.happens.who if seen.happens.action in SERVED else None,
    )
