"""Counts and digests for some cases of a check. Totals can be added in any order."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.spark_enum.results import Wrong

MODULUS = 2**64
"""The modulus of digest sums."""


@dataclass
class Totals:
    """Counts and digests for the cases that were checked so far."""

    counted: int = 0
    digest: int = 0
    differing: int = 0
    """The number of cases in which the two compared results differ."""
    first: Wrong | None = None
    """The first case with a difference, and a sentence about the difference."""
    broken: Counter[str] = field(default_factory=Counter)
    """For each guarantee or mode, the number of cases that violate it."""
    smallest: dict[str, Wrong] = field(default_factory=dict)
    """For each guarantee or mode, the smallest case that violates it.

    Its sentence describes the violation.
    """
    numbers: Counter[str] = field(default_factory=Counter)
    """Further counters by name, which are added."""
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Lists of numbers that are passed to the driver unchanged; each piece uses other names."""
    parts: dict[str, "Totals"] = field(default_factory=dict)
    """Separate totals for things that are tested on the same cases, such as claims, by name."""
    seconds: float = 0.0
    """Seconds spent in the workers."""

    @property
    def told(self) -> dict[str, Any]:
        """Return the totals as fields of a ``Finding``."""
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
        """Return the separate totals of that name; they start empty."""
        return self.parts.setdefault(name, Totals())

    def adds(self, digest: int) -> None:
        """Add the digest of one or several cases."""
        self.digest = (self.digest + digest) % MODULUS

    def differs(self, case: Wrong) -> None:
        """Record a case in which the two compared results differ."""
        self.differing += 1
        self.first = min(case, self.first or case)

    def breaks(self, name: str, case: Wrong) -> None:
        """Record a case that violates a guarantee or mode."""
        self.broken[name] += 1
        self._smaller(name, case)

    def merge(self, other: "Totals") -> None:
        """Add the totals of other cases."""
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
