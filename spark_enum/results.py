"""Results of the enumerator: one record for each comparison, whatever it is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ONE_IN = "one state in"
"""Name of a bound: of a machine's states, one in so many was tried."""


@dataclass(frozen=True, order=True)
class Wrong:
    """A case in which something is wrong; ordered by size."""

    size: tuple[int, ...]
    """(consumers, queues) of a group; (queues, deviations from the defaults) of a transition, or its number."""
    digits: tuple[int, ...]
    """The digits that distinguish it from others of its size; see ``model.worlds.groups.Groups``."""
    sentence: str
    """What is wrong."""


@dataclass(frozen=True)
class Finding:
    """The results of one check."""

    kind: str
    """The kind of comparison; each kind of claims has names for its own."""
    name: str
    """A name that is unique within the kind: ``avg join``, ``node push, 2 queues, calls``, a claim's id."""
    counted: int
    """The number of cases that were met."""
    expected: int
    """The number of cases by a closed form."""
    subject: str = ""
    """Strategies, or a client: ``avg``, ``avg+circle``, ``java_v4_9``."""
    setting: str = ""
    """The world of groups: ``agreed``, ``join``, ``without-distinct-ids``; or the use of a client: ``push orderly``."""
    bounds: Mapping[str, int] = field(default_factory=dict)
    """The bounds, by what they limit."""
    digest: str = ""
    """Hexadecimal digest of all cases with their outcomes, whatever their order and partition; may be empty."""
    differing: int = 0
    """The number of cases in which the two sides differ."""
    first: str = ""
    """The first of them in words; empty if there is none."""
    broken: Mapping[str, int] = field(default_factory=dict)
    """Guarantee or mode that was tried -> number of cases in which it does not hold."""
    smallest: Mapping[str, Wrong] = field(default_factory=dict)
    """Guarantee or mode -> smallest case in which it does not hold; no entry if it always holds."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Other numbers, by what they count."""
    details: tuple[Mapping[str, int], ...] = ()
    """Numbers of single cases, for display."""
    seconds: float = 0.0
    """The check's share of the Spark job's time."""

    @property
    def complete(self) -> bool:
        """Whether every case was met once."""
        return self.counted == self.expected

    @property
    def equal(self) -> bool:
        """Whether every case was met, and both sides agree in all."""
        return self.complete and not self.differing

    @property
    def least(self) -> Wrong | None:
        """The smallest case in which anything is broken; None if there is none."""
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
        """The findings of these kinds, in their order."""
        return tuple(found for found in self.findings if found.kind in kinds)

    def named(self, kind: str, name: str) -> Finding | None:
        """The finding of that kind and name; None if there is none."""
        return next((found for found in self.of(kind) if found.name == name), None)
