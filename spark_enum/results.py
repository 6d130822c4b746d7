"""Results of the enumerator: one record for each comparison, of whatever kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ONE_IN = "one state in"
"""Name of a bound: one of this many states of a machine was tried."""


@dataclass(frozen=True, order=True)
class Wrong:
    """A case with a violation or a difference; ordered by size."""

    size: tuple[int, ...]
    """The size of the case.

    (consumers, queues) of a group; (queues, deviations from the defaults) of a transition, or its number.
    """
    digits: tuple[int, ...]
    """The digits that distinguish the case from others of its size.

    See ``model.worlds.groups.Groups``.
    """
    sentence: str
    """The violation or difference, as a sentence."""


@dataclass(frozen=True)
class Finding:
    """The results of one check."""

    kind: str
    """The kind of comparison. Each kind of claims has its own names of comparisons."""
    name: str
    """A name that is unique within the kind.

    Examples: ``avg join``, ``node push, 2 queues, calls``, a claim's id.
    """
    counted: int
    """The number of cases that were checked."""
    expected: int
    """The number of cases by a closed form."""
    subject: str = ""
    """Strategies, or a client: ``avg``, ``avg+circle``, ``java_v4_9``."""
    setting: str = ""
    """The world of groups or the mode of a client.

    Examples: ``agreed``, ``join``, ``without-distinct-ids``; ``push orderly``.
    """
    bounds: Mapping[str, int] = field(default_factory=dict)
    """The bounds, by the name of the limited quantity."""
    digest: str = ""
    """Hexadecimal digest of all cases with their outcomes, independent of order and partition.

    May be empty.
    """
    differing: int = 0
    """The number of cases in which the two sides differ."""
    first: str = ""
    """The first differing case in words; empty if there is none."""
    broken: Mapping[str, int] = field(default_factory=dict)
    """For each guarantee or mode that was tried, the number of cases in which it does not hold."""
    smallest: Mapping[str, Wrong] = field(default_factory=dict)
    """For each guarantee or mode, the smallest case in which it does not hold.

    No entry if it always holds.
    """
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Other counters, by name."""
    details: tuple[Mapping[str, int], ...] = ()
    """Numbers of single cases, for display."""
    seconds: float = 0.0
    """The check's share of the Spark job's time."""

    @property
    def complete(self) -> bool:
        """True if every case was checked exactly once."""
        return self.counted == self.expected

    @property
    def equal(self) -> bool:
        """True if every case was checked, and both sides agree in all cases."""
        return self.complete and not self.differing

    @property
    def least(self) -> Wrong | None:
        """The smallest case in which any guarantee or mode is broken; None if there is none."""
        return min(self.smallest.values(), default=None)


@dataclass(frozen=True)
class Enumerated:
    """All results of the enumeration in one run."""

    spark: str
    """The version of Spark."""
    master: str
    findings: tuple[Finding, ...] = ()
    unexpected: tuple[str, ...] = ()
    """Contradictions to the expected verdicts, one sentence each."""

    def of(self, *kinds: str) -> tuple[Finding, ...]:
        """Return the findings of these kinds, in their order."""
        return tuple(found for found in self.findings if found.kind in kinds)

    def named(self, kind: str, name: str) -> Finding | None:
        """Return the finding of that kind and name; None if there is none."""
        return next((found for found in self.of(kind) if found.name == name), None)
