"""Stores of an exploration's levels in memory.

Small groups have a flag "visited" for each possible state; larger ones have sorted arrays of visited states.
"""

from rebalance_proofs.spark_enum.explorer.marked_in_memory import MarkedInMemory
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.sorted_in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.store import PIECE

InMemory = MarkedInMemory | SortedInMemory
MARKS = 1 << 28
"""Largest number of flags "visited", one byte each, if there is no memory limit."""
PARTS = 8
"""Number of parts of a store with sorted arrays.

More parts mean shorter arrays, which are processed one after the other.
"""


def in_memory(numbering: Numbering, most: int | None = None, piece: int = PIECE) -> InMemory:
    """Return a store in memory; it raises ``Full`` if it needs more than ``most`` bytes.

    Flags "visited" may use half of that.
    """
    if numbering.numbers <= (MARKS if most is None else most // 2):
        return MarkedInMemory(numbering, most, piece)
    return SortedInMemory(numbering.order(PARTS), most, piece)
