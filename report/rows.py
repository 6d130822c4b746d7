"""Findings of the enumeration as rows of tables: one finding each, or several of a kind together."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.report.english import count
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Finding

__all__ = ["Row"]


@dataclass(frozen=True)
class Row:
    """Totals over some findings of a kind."""

    findings: Sequence[Finding]
    words: Words

    @property
    def first(self) -> Finding:
        """The first finding, for properties that all share."""
        return self.findings[0]

    @property
    def meant(self) -> str:
        """The two sides that are compared."""
        return self.words.meant

    @property
    def cases(self) -> int:
        """Number of cases that were met."""
        return sum(found.numbers.get(self.words.cases, found.counted) for found in self.findings)

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
        """Cases in which both sides differ."""
        return sum(found.differing + found.broken.get(self.words.beside, 0) for found in self.findings)

    @property
    def seconds(self) -> float:
        """Time taken, in s."""
        return sum(found.seconds for found in self.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Sentences about everything that is not as expected."""
        return tuple(said for found in self.findings for said in self.words.failures(found))

    @property
    def bad(self) -> int:
        """Number of findings that are not as expected."""
        return sum(bool(self.words.failures(found)) for found in self.findings)

    @property
    def counted(self) -> str:
        """Number of cases with its noun: ``1,200 cases``."""
        return count(self.cases, self.words.noun)
