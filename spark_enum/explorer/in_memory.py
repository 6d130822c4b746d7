"""A store of levels in memory: a visited flag for each number if the group has few, sorted arrays otherwise."""

from rebalance_proofs.spark_enum.explorer.marked_in_memory import MarkedInMemory
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.sorted_in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.store import PIECE

__all__ = ["InMemory", "in_memory"]

InMemory = MarkedInMemory | SortedInMemory
MARKS = 1 << 28
"""The most numbers with visited flags, a byte each, if no limit of memory is given."""
PARTS = 8
"""The number of parts of sorted stores; more parts mean shorter arrays, but more of them to process in turn."""


def in_memory(numbering: Numbering, most: int | None = None, piece: int = PIECE) -> InMemory:
    """The store; it raises ``Full`` above ``most`` bytes. Visited flags may take half of that."""
    if numbering.numbers <= (MARKS if most is None else most // 2):
        return MarkedInMemory(numbering, most, piece)
    return SortedInMemory(numbering.order(PARTS), most, piece)
