"""Store of levels in memory: visited flags for groups with few numbers, else sorted arrays."""

from rebalance_proofs.spark_enum.explorer.marked_in_memory import MarkedInMemory
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.sorted_in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.store import PIECE

__all__ = ["InMemory", "in_memory"]

InMemory = MarkedInMemory | SortedInMemory
MARKS = 1 << 28
"""Largest number of visited flags, one byte each, if no memory limit is given."""
PARTS = 8
"""Number of parts of sorted stores.

More parts mean shorter arrays, but more of them to process in turn.
"""


def in_memory(numbering: Numbering, most: int | None = None, piece: int = PIECE) -> InMemory:
    """Return the store; it raises ``Full`` above ``most`` bytes.

    Visited flags may use half of that.
    """
    if numbering.numbers <= (MARKS if most is None else most // 2):
        return MarkedInMemory(numbering, most, piece)
    return SortedInMemory(numbering.order(PARTS), most, piece)
