"""Rows of tables about findings, the results of the enumerator."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.report.english import count
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Finding


@dataclass(frozen=True)
class Row:
    """A row of a table: the totals of one or several findings (results of the enumerator) of one kind."""

    findings: Sequence[Finding]
    words: Words

    @property
    def first(self) -> Finding:
        """The first finding, for properties that all findings of the row share."""
        return self.findings[0]

    @property
    def meant(self) -> str:
        """The two implementations that are compared, in words."""
        return self.words.meant

    @property
    def cases(self) -> int:
        """Number of cases that were run."""
        return sum(found.numbers.get(self.words.cases, found.counted) for found in self.findings)

    @property
    def expected(self) -> int:
        """Number of cases that a closed form requires."""
        return sum(found.expected for found in self.findings)

    @property
    def complete(self) -> bool:
        """True if every case was run exactly once."""
        return all(found.complete for found in self.findings)

    @property
    def differing(self) -> int:
        """Number of cases in which the two compared implementations differ."""
        return sum(found.differing + found.broken.get(self.words.beside, 0) for found in self.findings)

    @property
    def seconds(self) -> float:
        """Total computing time in s."""
        return sum(found.seconds for found in self.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The failures of the findings, as sentences."""
        return tuple(said for found in self.findings for said in self.words.failures(found))

    @property
    def bad(self) -> int:
        """Number of findings with a failure."""
        return sum(bool(self.words.failures(found)) for found in self.findings)

    @property
    def counted(self) -> str:
        """Number of cases with its noun: ``1,200 cases``."""
        return count(self.cases, self.words.noun)
