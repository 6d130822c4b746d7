"""Family of claims: the claims that share one table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rebalance_proofs.report.grouped import grouped

__all__ = ["BY_CLIENT", "Family", "arranged"]

T = TypeVar("T")

BY_CLIENT = "Columns are clients; rows are conditions."


@dataclass(frozen=True)
class Family:
    """Claims that share one table."""

    name: str
    """Used in addresses on the page: ``promises``."""
    title: str
    sentence: str
    """The subject of its claims, in a sentence."""
    corner: tuple[str, ...]
    """Headings above the names of its rows."""
    spelled_out: bool = False
    """Whether its rows say in words what is promised."""
    premised: bool = False
    """Whether all of its claims have the same premises, which are then stated once, above them."""
    table: str = ""
    """A sentence about the layout of its table; empty if the layout needs none."""


def arranged(
    things: Sequence[T], family: Callable[[T], Family], row: Callable[[T], tuple[str, ...]], order: Iterable[Family]
) -> dict[Family, list[T]]:
    """Things by their family, those in ``order``; within a family row by row, in the order of first appearance.

    Rows with the same first name are adjacent.
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
