"""How the claims of a kind are shown: in which family, row and column, and what is said beside them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.family import Family

Row = tuple[str, ...]
Cells = Mapping[tuple[Row, str], tuple[Claim, ...]]


class Shelf(NamedTuple):
    """For claims under one kind of premise."""

    family: Callable[[Claim], Family]
    row: Callable[[Claim], Row]
    """Where the claim stands in lists; rows that share their first name stand together."""
    column: Callable[[Claim], str]
    cells: Callable[[Sequence[Claim]], Cells]
    """The cells of a family's table, row by row. A claim may fill more than one of them."""
    about: Callable[[Claim], str]
    """What its guarantee looks at, in a sentence."""
    given: Callable[[Claim], str]
    """Under which circumstances, in sentences."""
    limit: Callable[[Claim], str]
    """What of its subject it speaks of, where that is not everything."""
    listed: Callable[[Sequence[Claim]], tuple[str, tuple[str, ...]]]
    """Of claims that share the first name of their row: what is said once above them (empty when nothing is), and each
    claim's sentence below that."""


def one_cell_each(row: Callable[[Claim], Row], column: Callable[[Claim], str], claims: Sequence[Claim]) -> Cells:
    """Each claim in its own row and column."""
    found: dict[tuple[Row, str], tuple[Claim, ...]] = {}
    for claim in claims:
        place = row(claim), column(claim)
        found[place] = (*found.get(place, ()), claim)
    return found
