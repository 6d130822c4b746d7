"""Claims arranged for a table: which strategy gives which guarantee, and which guarantee needs which premise."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from proofs.claim import Claim, Verdict
from proofs.results import ClaimResult
from report.failures import failures


@dataclass(frozen=True)
class Alike:
    """Claims of one cell that came out the same."""

    verdict: Verdict
    green: bool
    results: tuple[ClaimResult, ...]


@dataclass(frozen=True)
class Matrix:
    """Rows and columns in the order of the ledger; a cell is missing where no claim is made."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], tuple[ClaimResult, ...]]

    def alike(self, row: str, column: str) -> tuple[Alike, ...]:
        """A cell's claims by how they came out, failures first."""
        kinds: dict[tuple[bool, Verdict], list[ClaimResult]] = {}
        for result in self.cells.get((row, column), ()):
            kinds.setdefault((not failures(result), result.verdict), []).append(result)
        ordered = sorted(kinds.items(), key=lambda kind: kind[0][0])
        return tuple(Alike(verdict, green, tuple(results)) for (green, verdict), results in ordered)


def subject(claim: Claim) -> str:
    """The strategies by the names that RocketMQ gives them: ``AVG``, ``AVG + AVG_BY_CIRCLE``."""
    return " + ".join(strategy.rocketmq_name for strategy in claim.strategies)


def promises(results: Iterable[ClaimResult]) -> Matrix:
    """Strategy by guarantee, all premises holding."""
    return _matrix(
        (subject(result.claim), result.claim.guarantee.name, result)
        for result in results
        if not result.claim.premise.dropped
    )


def dependences(results: Iterable[ClaimResult]) -> Matrix:
    """Guarantee by dropped premise, all strategies in one cell."""
    return _matrix(
        (result.claim.guarantee.name, result.claim.premise.name, result)
        for result in results
        if result.claim.premise.dropped
    )


def _matrix(entries: Iterable[tuple[str, str, ClaimResult]]) -> Matrix:
    cells: dict[tuple[str, str], tuple[ClaimResult, ...]] = {}
    for row, column, result in entries:
        cells[row, column] = (*cells.get((row, column), ()), result)
    # a dict keeps each name once, in the order of its first appearance
    rows, columns = dict.fromkeys(row for row, _ in cells), dict.fromkeys(column for _, column in cells)
    return Matrix(tuple(rows), tuple(columns), cells)
