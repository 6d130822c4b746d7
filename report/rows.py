"""Findings as rows of tables and as lines: each row is one of them, or several of a kind together."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.report.english import count
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Finding

__all__ = ["Row"]


@dataclass(frozen=True)
class Row:
    """What all of its findings say together."""

    findings: Sequence[Finding]
    words: Words

    @property
    def first(self) -> Finding:
        """What they have in common is told of the first."""
        return self.findings[0]

    @property
    def meant(self) -> str:
        """What is compared with what."""
        return self.words.meant

    @property
    def cases(self) -> int:
        """How many there were."""
        return sum(found.numbers.get(self.words.cases, found.counted) for found in self.findings)

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
        """Cases in which both sides differ."""
        return sum(found.differing + found.broken.get(self.words.beside, 0) for found in self.findings)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(found.seconds for found in self.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is not as expected."""
        return tuple(said for found in self.findings for said in self.words.failures(found))

    @property
    def bad(self) -> int:
        """How many of the findings are not as expected."""
        return sum(bool(self.words.failures(found)) for found in self.findings)

    @property
    def counted(self) -> str:
        """``1,200 cases``."""
        return count(self.cases, self.words.noun)
