"""Tables of claims or results, one for each family, such as strategies by guarantees."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Generic, TypeVar

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.kinds import by_family, family, limits, shown
from rebalance_proofs.report.shown import Row
from rebalance_proofs.report.text.grouped import grouped

T = TypeVar("T")


@dataclass(frozen=True)
class Matrix(Generic[T]):
    """The table of one family of claims. ``cells`` maps (row, column) to claims.

    Empty cells are missing.
    """

    family: Family
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[Row, str], tuple[T, ...]]
    notes: tuple[str, ...] = ()
    """Remarks on rows about only some queues of a topic."""

    def cell(self, row: Row, column: str) -> tuple[T, ...]:
        """Return the claims or results in that cell, usually at most one."""
        return self.cells.get((row, column), ())

    def span(self, place: int) -> int:
        """Return how many rows the first name of row ``place`` spans.

        0 if the row above has it, too.
        """
        firsts = [row[0] for row in self.rows]
        if len(self.rows[place]) < 2:
            return 1
        if place and firsts[place] == firsts[place - 1]:
            return 0
        return sum(1 for _ in takewhile(lambda first: first == firsts[place], firsts[place:]))

    @property
    def together(self) -> tuple[tuple[Row, ...], ...]:
        """Groups of adjacent rows with the same first name.

        A row with a single name is its own group.
        """
        starts = [place for place in range(len(self.rows)) if self.span(place)]
        return tuple(self.rows[start : start + self.span(start)] for start in starts)

    def names(self) -> tuple[Row, ...]:
        """Return the names to print in each row; a repeated first name is printed only once."""
        return tuple(row if self.span(place) else ("", *row[1:]) for place, row in enumerate(self.rows))


@dataclass(frozen=True)
class Alike:
    """Results in one cell of a table that have the same outcome, and are shown as one."""

    verdict: Verdict
    green: bool
    results: tuple[ClaimResult, ...]


def alike(results: Iterable[ClaimResult]) -> tuple[Alike, ...]:
    """Return a cell's results grouped by outcome, failures first."""
    kinds = grouped(results, lambda result: (not failures(result), result.verdict))
    ordered = sorted(kinds.items(), key=lambda kind: kind[0][0])
    return tuple(Alike(verdict, green, tuple(found)) for (green, verdict), found in ordered)


def matrices(results: Sequence[ClaimResult]) -> tuple[Matrix[ClaimResult], ...]:
    """Return the tables of a run's results."""
    return arranged(results, lambda result: result.claim)


def arranged(items: Sequence[T], claim_of: Callable[[T], Claim]) -> tuple[Matrix[T], ...]:
    """Return a table for each family; ``items``: claims or results.

    ``claim_of``: an item's claim.
    """
    found = []
    for kind, own in by_family(items, claim_of).items():
        known = {claim_of(item).id: item for item in own}
        claims = [claim_of(item) for item in own]
        ways = shown(claims[0])
        filled = {place: tuple(known[claim.id] for claim in there) for place, there in ways.cells(claims).items()}
        # Rows are in the order of first appearance, columns in the order of the ledger.
        rows = dict.fromkeys(row for row, _ in filled)
        columns = dict.fromkeys(ways.column(claim) for claim in map(claim_of, items) if family(claim) == kind)
        notes = tuple(f"{limit}." for limit in limits(claims))
        found.append(Matrix(kind, tuple(rows), tuple(columns), filled, notes))
    return tuple(found)
