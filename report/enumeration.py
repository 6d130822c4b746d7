"""How reports present the findings (results of the enumerator) about one kind of claims."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.report.english import duration
from rebalance_proofs.report.rows import Row
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Enumerated, Finding

Cells = Sequence[str | int]


@dataclass(frozen=True)
class Table:
    """A table for the Markdown summary of a run, which omits tables without rows."""

    title: str
    """The heading; empty for a table that continues the text above."""
    header: Sequence[str]
    rows: Sequence[Cells]


@dataclass(frozen=True)
class Enumeration:
    """How to present a kind's findings.

    Each function gets all findings, and selects those of its kind.
    """

    words: Mapping[str, Words]
    """Texts by kind of finding, in the order of the JUnit suites."""
    facts: Callable[[Enumerated], Iterator[str]]
    """``facts(found)`` yields phrases with the amount of enumerated groups or cases.

    None if nothing was enumerated.
    """
    lines: Callable[[Sequence[Finding], bool], Iterator[str]]
    """``lines(found, verbose)`` yields terminal lines about a Spark job's findings.

    Similar findings share a line.
    """
    closing: Callable[[Enumerated], Iterator[str]] = lambda found: iter(())
    """``closing(found)`` yields the last lines of a command, about the results of comparisons."""
    tables: Callable[[Enumerated], Iterator[Table | str]] = lambda found: iter(())
    """``tables(found)`` yields the tables and sentences of the Markdown summary."""
    template: str = ""
    """File name of the page's template for the findings; may be empty."""
    given: Callable[[Enumerated], Mapping[str, Any]] = lambda found: {}
    """``given(found)`` returns the variables of the template."""
    filters: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    """Further filters of the template, by name."""

    def row(self, *found: Finding) -> Row:
        """Return a table row with the totals of the given findings, which are of one kind."""
        return Row(found, self.words[found[0].kind])

    def rows(self, found: Sequence[Finding]) -> list[Row]:
        """Return one table row for each finding."""
        return [self.row(one) for one in found]


def cells(row: Row, name: str, how_far: str | int, *more: str) -> Cells:
    """Return the usual cells of a table row.

    These are verdict, ``name``, ``how_far`` (bounds), cases run, cases required, ``more``, cases that differ, and time.
    """
    return (
        "❌" if row.wrong else "✅",
        name,
        how_far,
        f"{row.cases:,}",
        f"{row.expected:,}",
        *more,
        f"{row.differing:,}",
        duration(row.seconds),
    )


def failing(rows: Sequence[Row], header: Sequence[str], told: Callable[[Row], Cells]) -> Table:
    """Return a table of only those rows that have failures; ``told`` returns a row's cells."""
    return Table("", header, [(row.first.name, *told(row)) for row in rows if row.wrong])
