"""Levels of states in memory: marked where a group has few numbers, and else sorted."""

from rebalance_proofs.spark_enum.explorer.marked_in_memory import MarkedInMemory
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.sorted_in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.store import PIECE

__all__ = ["InMemory", "in_memory"]

InMemory = MarkedInMemory | SortedInMemory
MARKS = 1 << 28
"""Numbers that are marked, a byte each, where it is not told how much memory there is."""
PARTS = 8
"""Of what is sorted: more make shorter arrays, of which more have to be worked on one after the other."""


def in_memory(numbering: Numbering, most: int | None = None, piece: int = PIECE) -> InMemory:
    """``most`` is how many bytes it may take; where it takes more, ``Full`` is raised. Marks get half of that."""
    if numbering.numbers <= (MARKS if most is None else most // 2):
        return MarkedInMemory(numbering, most, piece)
    return SortedInMemory(numbering.order(PARTS), most, piece)
