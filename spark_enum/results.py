"""Results of the enumeration: one record (``Finding``) for each check."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
