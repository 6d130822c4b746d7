"""Findings as rows of tables and as lines: each row is one of them, or several of a kind together."""

from collections.abc import Iterable
from dataclasses import dataclass

from rebalance_proofs.report.checked import words_of
from rebalance_proofs.report.english import case_size, count
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.allocation.kinds import BEYOND, JOINS
from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.transition.kinds import ADMITTED, CALLS, MODELS, SINGLES, TABLES

COMPARED = (SINGLES, CALLS, TABLES, MODELS)
"""Comparisons of transitions case by case, of which there are too many to be told one by one."""


@dataclass(frozen=True)
class Row:
    """What all of its findings say together."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """What they have in common is told of the first."""
        return self.findings[0]

    @property
    def meant(self) -> str:
        """What is compared with what."""
        return words_of(self.first.kind).meant

    @property
    def cases(self) -> int:
        """How many there were; of claims about transitions those that their scenarios admit."""
        return sum(found.numbers.get(ADMITTED, found.counted) for found in self.findings)

    @property
    def expected(self) -> int:
        """As many had to be met."""
        return sum(found.expected for found in self.findings)

    @property
    def complete(self) -> bool:
        """Every case was met once."""
        return all(found.complete for found in self.findings)

    @property
    def differing(self) -> int:
        """Cases in which both sides differ; joins beyond the proved bound are among them."""
        return sum(found.differing + (found.kind == JOINS) * found.broken.get(BEYOND, 0) for found in self.findings)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(found.seconds for found in self.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is not as expected."""
        return tuple(said for found in self.findings for said in failures(found))

    @property
    def counted(self) -> str:
        """``1,200 cases``."""
        return count(self.cases, words_of(self.first.kind).noun)


def rows(findings: Iterable[Finding]) -> list[Row]:
    """One for each."""
    return [Row((found,)) for found in findings]


def together(findings: Iterable[Finding]) -> list[Row]:
    """Those of a kind about as many queues, over all clients and modes."""
    kinds: dict[tuple[str, int], list[Finding]] = {}
    for found in findings:
        kinds.setdefault((found.kind, found.bounds["queues"]), []).append(found)
    return [Row(tuple(found)) for found in kinds.values()]


def bounds(found: Finding) -> str:
    """``q ≤ 8, c ≤ 5``; ``q ≤ 6, c ≤ 5, q + c ≤ 9``."""
    most = found.bounds.get("together")
    together = "" if most is None else f", q + c ≤ {most}"
    return f"q ≤ {found.bounds['queues']}, c ≤ {found.bounds['consumers']}{together}"


def found_smallest(found: Finding) -> str:
    """How large the smallest case is that breaks a promise: ``1 queue, 2 values out of the ordinary``."""
    return case_size(*found.least.size) if found.least else "none"


def depths(found: Finding) -> str:
    """How far from a benign round was looked: ``up to 3 values, 2 with 2 queues``."""
    first, *more = found.bounds.values()
    further = "".join(f", {depth} with {count(queues, 'queue')}" for queues, depth in enumerate(more, 2))
    return f"up to {count(first, 'value')}{further}"


def found_in(group: Finding) -> str:
    """What was found in a whole group, and in how many steps: ``two in 4 steps, twice in 10 steps``."""
    steps = {name: group.smallest[name].digits[0] for name in group.broken if name in group.smallest}
    told = ", ".join(f"{name} in {count(many, 'step')}" for name, many in steps.items())
    return told or ("nothing" if group.broken else "nothing is watched")
