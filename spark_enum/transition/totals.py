"""What is known about a part of the cases: how many there are, their digest, and what differs."""

from dataclasses import dataclass

from rebalance_proofs.spark_enum.transition.distinct import MODULUS


@dataclass
class Totals:
    """Of the cases that have been counted so far. Adding up parts in any order gives the same."""

    cases: int = 0
    digest: int = 0
    mismatches: int = 0
    first: tuple[int, str] | None = None
    """The first mismatch: the number of its case, and what differs in words."""
    seconds: float = 0.0
    """Of the processor, in the workers."""

    def differs(self, code: int, sentence: str) -> None:
        """The case is a mismatch."""
        self.mismatches += 1
        self.first = _least(self.first, (code, sentence))

    def merge(self, other: "Totals") -> None:
        """Counts another part in."""
        self.cases += other.cases
        self.digest = (self.digest + other.digest) % MODULUS
        self.mismatches += other.mismatches
        self.first = _least(self.first, other.first)
        self.seconds += other.seconds


def _least(one: tuple[int, str] | None, other: tuple[int, str] | None) -> tuple[int, str] | None:
    return min((found for found in (one, other) if found), default=None)
