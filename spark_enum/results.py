"""What the enumerator found: one record for each thing that was compared with another, whatever it is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Wrong:
    """A case in which something is wrong. Orders by size."""

    size: tuple[int, ...]
    """Of a group (consumers, queues); of a transition (queues, departures from a benign round), or its number."""
    digits: tuple[int, ...]
    """What distinguishes it from others of its size; see ``model.worlds.groups.Groups``."""
    sentence: str
    """What is wrong."""


@dataclass(frozen=True)
class Finding:
    """Everything that came of one check."""

    kind: str
    """What is compared with what; a room of the enumerator has a name for each of its comparisons."""
    name: str
    """Of its own among those of the kind: ``avg join``, ``node push, 2 queues, calls``, a claim's id."""
    counted: int
    """Cases that were met."""
    expected: int
    """The same number by its closed form."""
    subject: str = ""
    """Strategies, or a client: ``avg``, ``avg+circle``, ``java_v4_9``."""
    setting: str = ""
    """Which groups: ``agreed``, ``join``, ``without-distinct-ids``; how a client is used: ``push orderly``."""
    bounds: Mapping[str, int] = field(default_factory=dict)
    """How far was looked, by what is bounded."""
    digest: str = ""
    """Hexadecimal; of all cases and what they came to, whatever their order and partition. Empty for none."""
    differing: int = 0
    """Cases in which the two sides say different things."""
    first: str = ""
    """The first of them in words; empty when there is none."""
    broken: Mapping[str, int] = field(default_factory=dict)
    """What ought to hold, each guarantee or mode that was tried -> in how many cases it does not."""
    smallest: Mapping[str, Wrong] = field(default_factory=dict)
    """The same -> the smallest case in which it does not; no entry when it always holds."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Other numbers, by what they count."""
    details: tuple[Mapping[str, int], ...] = ()
    """Numbers of single cases, for people to look at."""
    seconds: float = 0.0
    """Its share of the Spark job's time."""

    @property
    def complete(self) -> bool:
        """Every case was met once."""
        return self.counted == self.expected

    @property
    def equal(self) -> bool:
        """Every case was met, and both sides say the same."""
        return self.complete and not self.differing

    @property
    def least(self) -> Wrong | None:
        """The smallest case in which anything is broken."""
        return min(self.smallest.values(), default=None)


@dataclass(frozen=True)
class Enumerated:
    """Everything that came from Spark in one run."""

    spark: str
    """Version of Spark."""
    master: str
    findings: tuple[Finding, ...] = ()
    unexpected: tuple[str, ...] = ()
    """What the enumeration says against the expected verdicts, one sentence each."""

    def of(self, *kinds: str) -> tuple[Finding, ...]:
        """The findings of these kinds, in their order."""
        return tuple(found for found in self.findings if found.kind in kinds)

    def named(self, kind: str, name: str) -> Finding | None:
        """The finding of that kind and name, if there is one."""
        return next((found for found in self.of(kind) if found.name == name), None)
