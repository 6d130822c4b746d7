"""How reports present the enumeration: for one kind of claims, or for explored groups."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.report.english import duration
from rebalance_proofs.report.rows import Row
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Enumerated, Finding

__all__ = ["Cells", "Enumeration", "Table", "cells", "failing"]

Cells = Sequence[str | int]


@dataclass(frozen=True)
class Table:
    """A table of a Markdown summary; left out if it has no rows."""

    title: str
    """Heading; empty for a table that continues the text before it."""
    header: Sequence[str]
    rows: Sequence[Cells]


@dataclass(frozen=True)
class Enumeration:
    """Presentation of a kind's findings. Each function gets all findings, and picks those that it knows."""

    words: Mapping[str, Words]
    """Words by kind of finding, in the order of JUnit's suites."""
    facts: Callable[[Enumerated], Iterator[str]]
    """``facts(found)``: phrases that say how much was enumerated; none if nothing was."""
    lines: Callable[[Sequence[Finding], bool], Iterator[str]]
    """``lines(found, verbose)``: lines on a terminal about a job's findings: one each, or one for similar findings."""
    closing: Callable[[Enumerated], Iterator[str]] = lambda found: iter(())
    """``closing(found)``: lines at the end of a command about the results of comparisons."""
    tables: Callable[[Enumerated], Iterator[Table | str]] = lambda found: iter(())
    """``tables(found)``: the tables and sentences of a Markdown summary."""
    template: str = ""
    """Template for the part of the page that shows the findings; empty for none."""
    given: Callable[[Enumerated], Mapping[str, Any]] = lambda found: {}
    """``given(found)``: variables for the template."""
    filters: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    """Further functions for the template and for the cells of its tables."""

    def row(self, *found: Finding) -> Row:
        """One or more findings of one kind as a row."""
        return Row(found, self.words[found[0].kind])

    def rows(self, found: Sequence[Finding]) -> list[Row]:
        """Each finding as a row of its own."""
        return [self.row(one) for one in found]


def cells(row: Row, name: str, how_far: str | int, *more: str) -> Cells:
    """Cells of a row in most tables: verdict, name, extent, cases met, cases expected, more, cases that differ, and
    time."""
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
    """Table of the rows that are not as expected, by name."""
    return Table("", header, [(row.first.name, *told(row)) for row in rows if row.wrong])
