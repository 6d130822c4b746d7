"""Findings of the enumeration as rows of tables: one finding each, or several of a kind together."""

from collections.abc import Iterable
from dataclasses import dataclass

from rebalance_proofs.report.checked import words_of
from rebalance_proofs.report.english import case_size, count
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.allocation.kinds import BEYOND, JOINS
from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.transition.kinds import ADMITTED, CALLS, MODELS, SINGLES, TABLES

COMPARED = (SINGLES, CALLS, TABLES, MODELS)
"""Kinds of case-by-case comparisons of transitions, which have too many findings for a row each."""


@dataclass(frozen=True)
class Row:
    """Totals over some findings of a kind."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The first finding, for properties that all share."""
        return self.findings[0]

    @property
    def meant(self) -> str:
        """The two sides that are compared."""
        return words_of(self.first.kind).meant

    @property
    def cases(self) -> int:
        """Number of cases; for claims about transitions only those that their scenarios admit."""
        return sum(found.numbers.get(ADMITTED, found.counted) for found in self.findings)

    @property
    def expected(self) -> int:
        """Number of cases that had to be met."""
        return sum(found.expected for found in self.findings)

    @property
    def complete(self) -> bool:
        """Whether every case was met exactly once."""
        return all(found.complete for found in self.findings)

    @property
    def differing(self) -> int:
        """Number of cases in which both sides differ, including joins beyond the proved bound."""
        return sum(found.differing + (found.kind == JOINS) * found.broken.get(BEYOND, 0) for found in self.findings)

    @property
    def seconds(self) -> float:
        """Time taken, in s."""
        return sum(found.seconds for found in self.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The failures of its findings."""
        return tuple(said for found in self.findings for said in failures(found))

    @property
    def counted(self) -> str:
        """Number of cases with its noun: ``1,200 cases``."""
        return count(self.cases, words_of(self.first.kind).noun)


def rows(findings: Iterable[Finding]) -> list[Row]:
    """One row for each finding."""
    return [Row((found,)) for found in findings]


def together(findings: Iterable[Finding]) -> list[Row]:
    """One row for each kind and number of queues, over all clients and modes."""
    kinds: dict[tuple[str, int], list[Finding]] = {}
    for found in findings:
        kinds.setdefault((found.kind, found.bounds["queues"]), []).append(found)
    return [Row(tuple(found)) for found in kinds.values()]


def bounds(found: Finding) -> str:
    """Bounds of a finding: ``q ≤ 8, c ≤ 5``."""
    return f"q ≤ {found.bounds['queues']}, c ≤ {found.bounds['consumers']}"


def found_smallest(found: Finding) -> str:
    """Size of the smallest case that breaks a promise: ``1 queue, 2 values out of the ordinary``."""
    return case_size(*found.least.size) if found.least else "none"


def depths(found: Finding) -> str:
    """Most values that differ from a benign round, by number of queues: ``up to 3 values, 2 with 2 queues``."""
    first, *more = found.bounds.values()
    further = "".join(f", {depth} with {count(queues, 'queue')}" for queues, depth in enumerate(more, 2))
    return f"up to {count(first, 'value')}{further}"


def found_in(group: Finding) -> str:
    """Findings in a whole group, each with the length of its trace: ``two in 4 steps, twice in 10 steps``."""
    steps = {name: group.smallest[name].digits[0] for name in group.broken if name in group.smallest}
    told = ", ".join(f"{name} in {count(many, 'step')}" for name, many in steps.items())
    return told or ("nothing" if group.broken else "nothing is watched")
