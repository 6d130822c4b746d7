"""A run of one queue's pull requests as a sequence: the entry in the table, its requests, and those of old entries."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.pulls.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.pulls.story import deeds, requests
from rebalance_proofs.report.sequence import Row, sequence

__all__ = ["drawn"]

NUMBERS = 34
"""Pixels: the column of the actions' numbers."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    told = enumerate(zip(run.seen, deeds(run), strict=True), start=1)
    rows = [_row(place, seen, words) for place, (seen, words) in told]
    return sequence(
        claim.id,
        "Pull requests of one queue",
        example.sentence,
        "requests",
        NUMBERS,
        rows,
        lanes=("entry", "old ones"),
    )


def _row(place: int, seen: Seen, words: str) -> Row:
    """A full bar for a live entry, a narrow one for a marked one, or for what old entries have left behind."""
    left = bool(seen.old_waiting or seen.old_pulling or seen.old_repairing)
    told = requests(seen.waiting, seen.pulling, seen.repairing)
    return Row(
        mark=f"{place}",
        words=words,
        runs=(seen.live, False),
        present=(seen.present, left),
        broker=told,
        free=told == "none",
    )
