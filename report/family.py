"""A family of claims: claims that share one table of the ledger (the list of all claims)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rebalance_proofs.report.text.grouped import grouped

T = TypeVar("T")

BY_CLIENT = "Columns are clients; rows are conditions."


@dataclass(frozen=True)
class Family:
    """A group of claims that share one table of the ledger, with the table's headings."""

    name: str
    """Short name, used in link addresses: ``promises``."""
    title: str
    sentence: str
    """A sentence that says what the claims are about."""
    corner: tuple[str, ...]
    """Headings of the first columns, which have the row names."""
    spelled_out: bool = False
    """Whether the row names are guarantees written as sentences."""
    premised: bool = False
    """Whether all claims have the same assumptions, which are then printed once above the table."""
    table: str = ""
    """A sentence that explains the table's layout; empty if it needs none."""


def arranged(
    things: Sequence[T], family: Callable[[T], Family], row: Callable[[T], tuple[str, ...]], order: Iterable[Family]
) -> dict[Family, list[T]]:
    """Group items by family, and sort each group by table row.

    ``order`` gives the families to include and their order. Rows come in the order of first appearance; rows with the
    same first name are adjacent.
    """
    own = grouped(things, family)
    return {
        one: [
            thing
            for together in grouped(own[one], lambda thing: row(thing)[0]).values()
            for same in grouped(together, row).values()
            for thing in same
        ]
        for one in order
        if one in own
    }
