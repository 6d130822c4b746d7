"""Claims, or results of claims, arranged for tables: a table a family, strategies in rows, guarantees in columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import Family, cells, column, families, family, limits
from rebalance_proofs.report.families import in_order as claims_in_order

T = TypeVar("T")


@dataclass(frozen=True)
class Matrix(Generic[T]):
    """One family. Rows and columns in the order of the ledger; a cell is missing where no claim is made."""

    family: Family
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[tuple[str, ...], str], tuple[T, ...]]
    notes: tuple[str, ...] = ()
    """Rows that speak of less than every queue of a topic."""

    def cell(self, row: tuple[str, ...], column: str) -> tuple[T, ...]:
        """What is claimed there; most often one thing or nothing."""
        return self.cells.get((row, column), ())

    def span(self, place: int) -> int:
        """How many rows from this one on share its first name; 0 when it is not the first of them."""
        names = [row[0] for row in self.rows]
        if len(self.rows[place]) < 2:
            return 1
        if place and names[place] == names[place - 1]:
            return 0
        return next((further for further, name in enumerate(names[place:]) if name != names[place]), len(names) - place)


@dataclass(frozen=True)
class Alike:
    """Results of one cell that came out the same."""

    verdict: Verdict
    green: bool
    results: tuple[ClaimResult, ...]


def alike(results: Iterable[ClaimResult]) -> tuple[Alike, ...]:
    """A cell's results by how they came out, failures first."""
    kinds: dict[tuple[bool, Verdict], list[ClaimResult]] = {}
    for result in results:
        kinds.setdefault((not failures(result), result.verdict), []).append(result)
    ordered = sorted(kinds.items(), key=lambda kind: kind[0][0])
    return tuple(Alike(verdict, green, tuple(found)) for (green, verdict), found in ordered)


def matrices(results: Sequence[ClaimResult]) -> tuple[Matrix[ClaimResult], ...]:
    """The results of a run."""
    return arranged(results, lambda result: result.claim)


def arranged(items: Sequence[T], claim_of: Callable[[T], Claim]) -> tuple[Matrix[T], ...]:
    """A table for each family that has something to show."""
    found = []
    for kind in families(map(claim_of, items)):
        own = {claim_of(item).id: item for item in in_order(items, claim_of) if family(claim_of(item)) == kind}
        table = cells([claim_of(item) for item in own.values()])
        filled = {place: tuple(own[claim.id] for claim in claims) for place, claims in table.items()}
        # a dict keeps each name once, in the order of its first appearance; columns go by the ledger's
        rows = dict.fromkeys(row for row, _ in filled)
        columns = dict.fromkeys(column(claim_of(item)) for item in items if family(claim_of(item)) == kind)
        notes = tuple(f"{limit}." for limit in limits(map(claim_of, own.values())))
        found.append(Matrix(kind, tuple(rows), tuple(columns), filled, notes))
    return tuple(found)


def in_order(items: Sequence[T], claim_of: Callable[[T], Claim]) -> tuple[T, ...]:
    """Items in the order in which their claims are shown."""
    places = {claim.id: place for place, claim in enumerate(claims_in_order([claim_of(item) for item in items]))}
    return tuple(sorted(items, key=lambda item: places[claim_of(item).id]))
