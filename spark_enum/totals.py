"""Totals of some cases of a check. Adding totals in any order gives the same result."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.spark_enum.results import Wrong

MODULUS = 2**64
"""The modulus of digest sums."""


@dataclass
class Totals:
    """Totals of the cases counted so far."""

    counted: int = 0
    digest: int = 0
    differing: int = 0
    """The number of cases in which the two sides differ."""
    first: Wrong | None = None
    """The first differing case; its sentence describes the difference."""
    broken: Counter[str] = field(default_factory=Counter)
    """For each guarantee or mode, the number of cases in which it does not hold."""
    smallest: dict[str, Wrong] = field(default_factory=dict)
    """For each guarantee or mode, the smallest case in which it does not hold.

    Its sentence describes the violation.
    """
    numbers: Counter[str] = field(default_factory=Counter)
    """Other counters that can be added, by name."""
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Numbers that are passed on unchanged, under names that are unique to the piece."""
    parts: dict[str, "Totals"] = field(default_factory=dict)
    """Totals of several things that are tried in these cases, by name."""
    seconds: float = 0.0
    """Seconds spent in the workers."""

    @property
    def told(self) -> dict[str, Any]:
        """Return the fields of a ``Finding``."""
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
        """Return the totals of the part of that name."""
        return self.parts.setdefault(name, Totals())

    def adds(self, digest: int) -> None:
        """Add the digest of one or several cases."""
        self.digest = (self.digest + digest) % MODULUS

    def differs(self, case: Wrong) -> None:
        """Record a case in which the two sides differ."""
        self.differing += 1
        self.first = min(case, self.first or case)

    def breaks(self, name: str, case: Wrong) -> None:
        """Record a case in which a guarantee or mode does not hold."""
        self.broken[name] += 1
        self._smaller(name, case)

    def merge(self, other: "Totals") -> None:
        """Add the totals of another part."""
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
