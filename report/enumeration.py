"""Interface between reports and a kind of claims: how to present the kind's findings of the enumeration."""

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
    """A table of the Markdown summary, which omits tables without rows."""

    title: str
    """The heading; empty for a table that continues the text above."""
    header: Sequence[str]
    rows: Sequence[Cells]


@dataclass(frozen=True)
class Enumeration:
    """How to present a kind's findings. Each function gets all findings, and selects those of its kind."""

    words: Mapping[str, Words]
    """Words by kind of finding, in the order of the JUnit suites."""
    facts: Callable[[Enumerated], Iterator[str]]
    """``facts(found)`` yields phrases with the amount of enumerated groups or cases; none if nothing was enumerated."""
    lines: Callable[[Sequence[Finding], bool], Iterator[str]]
    """``lines(found, verbose)`` yields terminal lines about a job's findings: one each, or one for similar findings."""
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
        """Return a row with the given findings, which are of one kind."""
        return Row(found, self.words[found[0].kind])

    def rows(self, found: Sequence[Finding]) -> list[Row]:
        """Return one row for each finding."""
        return [self.row(one) for one in found]


def cells(row: Row, name: str, how_far: str | int, *more: str) -> Cells:
    """Return the usual cells of a row.

    These are verdict, name, bounds, cases run, cases required, ``more``, cases that differ, and time.
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
    """Return a table of the rows with failures, by name."""
    return Table("", header, [(row.first.name, *told(row)) for row in rows if row.wrong])
