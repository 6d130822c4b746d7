"""How what was enumerated is told: of one kind of claims, or of explored groups."""

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
    """Of a summary in Markdown; without rows it is left out."""

    title: str
    """Empty for a table below what stands before it."""
    header: Sequence[str]
    rows: Sequence[Cells]


@dataclass(frozen=True)
class Enumeration:
    """All that reports ask of findings; those of each kind that they have."""

    words: Mapping[str, Words]
    """By the kind of finding, in the order of JUnit's suites."""
    facts: Callable[[Enumerated], Iterator[str]]
    """How much was looked at, in phrases; nothing where nothing was."""
    lines: Callable[[Sequence[Finding], bool], Iterator[str]]
    """``lines(found, verbose)``: of a job's findings on a terminal, one each, or one for those that are alike."""
    closing: Callable[[Enumerated], Iterator[str]] = lambda found: iter(())
    """How comparisons came out, at the end of a command."""
    tables: Callable[[Enumerated], Iterator[Table | str]] = lambda found: iter(())
    """What a summary in Markdown has of them: tables, and sentences."""
    template: str = ""
    """The part of the page that has them; empty for none."""
    given: Callable[[Enumerated], Mapping[str, Any]] = lambda found: {}
    """What that is given."""
    filters: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    """What else it, and the cells of its tables, call."""

    def row(self, *found: Finding) -> Row:
        """Findings of one kind, one at least, as a row."""
        return Row(found, self.words[found[0].kind])

    def rows(self, found: Sequence[Finding]) -> list[Row]:
        """Each as a row."""
        return [self.row(one) for one in found]


def cells(row: Row, name: str, how_far: str | int, *more: str) -> Cells:
    """As most tables have it: whether all is well, what it is, how far, how much, and how many cases differ."""
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
    """Claims that differ, by name."""
    return Table("", header, [(row.first.name, *told(row)) for row in rows if row.wrong])
