"""The shortest way to what must not be: all states of two consumers and one message, breadth first."""

from collections.abc import Mapping

from rebalance_proofs.model.offsets.actions import OffsetsEncoding
from rebalance_proofs.proofs.breadth_first import breadth_first
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.pair import Pair, packed
from rebalance_proofs.proofs.offsets.schedule import MOVES

__all__ = ["shortest"]

LIMIT = 13
"""Actions. All states of two consumers are in reach after some fifty, and there are two million of them."""


def shortest(
    encoding: OffsetsEncoding, world: Brokers, bad: Mapping[str, Bad], limit: int = LIMIT
) -> Mapping[str, Schedule]:
    """By what is bad, the first schedule of the fewest actions after which it is so; none where there is none of so
    many actions."""
    moves = [Happens(who, name, said) for name, said in MOVES for who in (0, 1)]
    return breadth_first(Pair(encoding, world), packed, moves, bad, limit)
