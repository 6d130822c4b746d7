"""Results of the enumeration: one record (``Finding``) for each check."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ONE_IN = "one state in"
"""Name of a bound in a finding: only one of this many states was tried."""


@dataclass(frozen=True, order=True)
class Wrong:
    """A case with a violation or a difference; cases are ordered by size."""

    size: tuple[int, ...]
    """The size of the case.

    For a group: (consumers, queues). For a transition: (queues, non-default values), or the case's number.
    """
    digits: tuple[int, ...]
    """The digits that distinguish the case from others of its size.

    For a group, see ``model.worlds.groups.Groups``.
    """
    sentence: str
    """The violation or difference, as a sentence."""


@dataclass(frozen=True)
class Finding:
    """The results of one check."""

    kind: str
    """The kind of comparison; each kind of claims has its own names."""
    name: str
    """The name of the check, which is unique within the kind.

    Examples: ``avg join``, ``node push, 2 queues, calls``, a claim's id.
    """
    counted: int
    """The number of cases that were checked."""
    expected: int
    """The number of cases by a closed form."""
    subject: str = ""
    """The checked strategies or client: ``avg``, ``avg+circle``, ``java_v4_9``."""
    setting: str = ""
    """The world (set of groups) that was enumerated, or the mode of a client.

    Examples: ``agreed``, ``join``, ``without-distinct-ids``; ``push orderly``.
    """
    bounds: Mapping[str, int] = field(default_factory=dict)
    """The bounds of the enumeration: name of the limited quantity -> bound."""
    digest: str = ""
    """Hexadecimal digest of all cases with their outcomes.

    It does not depend on the order of the cases or the number of tasks. It may be empty.
    """
    differing: int = 0
    """The number of cases in which the two compared results differ."""
    first: str = ""
    """The first differing case in words; empty if there is none."""
    broken: Mapping[str, int] = field(default_factory=dict)
    """For each guarantee or mode that was tested, the number of cases that violate it."""
    smallest: Mapping[str, Wrong] = field(default_factory=dict)
    """For each guarantee or mode, the smallest case that violates it.

    A guarantee or mode without a violation has no entry.
    """
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Further counters by name, such as the number of compared positions."""
    details: tuple[Mapping[str, int], ...] = ()
    """Numbers about single cases, for display: one mapping for each case."""
    seconds: float = 0.0
    """The check's share of the Spark job's time."""

    @property
    def complete(self) -> bool:
        """True if every case was checked exactly once."""
        return self.counted == self.expected

    @property
    def equal(self) -> bool:
        """True if every case was checked, and the two compared results agree in all cases."""
        return self.complete and not self.differing

    @property
    def least(self) -> Wrong | None:
        """The smallest case that violates any guarantee, in any mode; None if there is none."""
        return min(self.smallest.values(), default=None)


@dataclass(frozen=True)
class Enumerated:
    """All results of the enumeration in one run."""

    spark: str
    """The version of Spark."""
    master: str
    findings: tuple[Finding, ...] = ()
    unexpected: tuple[str, ...] = ()
    """Sentences about contradictions to the expected verdicts."""

    def of(self, *kinds: str) -> tuple[Finding, ...]:
        """Return the findings of these kinds, in the order of the run."""
        return tuple(found for found in self.findings if found.kind in kinds)

    def named(self, kind: str, name: str) -> Finding | None:
        """Return the finding of that kind and name; None if there is none."""
        return next((found for found in self.of(kind) if found.name == name), None)


# Counts and digests for some cases of a check. Totals can be added in any order.

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
