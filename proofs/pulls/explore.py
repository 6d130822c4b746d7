"""The shortest way to what must not be: all states of a queue's pull requests, breadth first."""

from collections.abc import Mapping

from rebalance_proofs.model.pulls.actions import PullsEncoding
from rebalance_proofs.proofs.breadth_first import breadth_first
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.pulls.guarantees import Bad
from rebalance_proofs.proofs.pulls.reach import Reach, packed
from rebalance_proofs.proofs.pulls.schedule import choices
from rebalance_proofs.proofs.pulls.troubles import Troubles

__all__ = ["LIMIT", "shortest"]

LIMIT = 10
"""Actions."""


def shortest(
    encoding: PullsEncoding, world: Troubles, bad: Mapping[str, Bad], limit: int = LIMIT
) -> Mapping[str, Schedule]:
    """By what is bad, the first schedule of the fewest actions after which it is so; none where there is none of so
    many actions."""
    moves = [Happens(0, name, said) for name in world.actions for said in choices(name)]
    return breadth_first(Reach(encoding, world), packed, moves, bad, limit)
