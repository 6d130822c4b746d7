"""What is known about a part of the cases of a check. Adding up parts in any order gives the same."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.spark_enum.results import Wrong

MODULUS = 2**64
"""Digests are added up modulo this."""


@dataclass
class Totals:
    """Of the cases that have been counted so far."""

    counted: int = 0
    digest: int = 0
    differing: int = 0
    """Cases in which two sides say different things."""
    first: Wrong | None = None
    """The first of them; its sentence says what differs."""
    broken: Counter[str] = field(default_factory=Counter)
    """What ought to hold -> in how many cases it does not."""
    smallest: dict[str, Wrong] = field(default_factory=dict)
    """What ought to hold -> the smallest case in which it does not; its sentence says what is wrong."""
    numbers: Counter[str] = field(default_factory=Counter)
    """Other numbers that add up, by what they count."""
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Numbers that come back as they are, by names that no other part gives."""
    parts: dict[str, "Totals"] = field(default_factory=dict)
    """The same of each of several things that are tried in these cases, by name."""
    seconds: float = 0.0
    """Spent in the workers."""

    @property
    def told(self) -> dict[str, Any]:
        """For a ``Finding``."""
        return {
            "counted": self.counted,
            "digest": f"{self.digest:016x}",
            "differing": self.differing,
            "first": self.first.sentence if self.first else "",
            "broken": dict(self.broken),
            "smallest": dict(self.smallest),
            "numbers": dict(self.numbers),
            "seconds": self.seconds,
        }

    def part(self, name: str) -> "Totals":
        """That of the thing with this name."""
        return self.parts.setdefault(name, Totals())

    def adds(self, digest: int) -> None:
        """A case, or several, with this digest."""
        self.digest = (self.digest + digest) % MODULUS

    def differs(self, case: Wrong) -> None:
        """Two sides say different things about the case."""
        self.differing += 1
        self.first = min(case, self.first or case)

    def breaks(self, name: str, case: Wrong) -> None:
        """Something that ought to hold does not in this case."""
        self.broken[name] += 1
        self._smaller(name, case)

    def merge(self, other: "Totals") -> None:
        """Counts another part in."""
        self.counted += other.counted
        self.adds(other.digest)
        self.differing += other.differing
        if other.first:
            self.first = min(other.first, self.first or other.first)
        self.broken.update(other.broken)
        for name, case in other.smallest.items():
            self._smaller(name, case)
        self.numbers.update(other.numbers)
        self.kept |= other.kept
        for name, part in other.parts.items():
            self.part(name).merge(part)
        self.seconds += other.seconds

    def _smaller(self, name: str, case: Wrong) -> None:
        self.smallest[name] = min(case, self.smallest.get(name, case))
