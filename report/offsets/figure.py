"""A run of two consumers and one message as a sequence, the committed offset in the broker's lane."""

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.run import Run
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.offsets.story import committed, deed
from rebalance_proofs.report.sequence import Row, sequence

__all__ = ["drawn"]

NUMBERS = 34
"""Pixels: the column of the actions' numbers."""
SERVED = ("asks", "fixes", "sends", "commits")
"""Actions between a consumer and the broker."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    rows = [
        Row(
            mark=f"{place}",
            words=deed(seen, run.client.way),
            runs=seen.runs,
            present=seen.present,
            broker=committed(seen.committed),
            free=seen.committed is None,
            spoke=seen.happens.who if seen.happens.action in SERVED else None,
        )
        for place, seen in enumerate(run.seen, start=1)
    ]
    return sequence(claim.id, "Offsets of one queue", example.sentence, "committed", NUMBERS, rows)
