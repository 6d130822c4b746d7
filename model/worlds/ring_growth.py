"""The world of CONSISTENT_HASH where queues were added to the topic."""

from collections.abc import Sequence

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.grows import GROWS, is_new
from rebalance_proofs.model.worlds.ring_views import agreed, everyone
from rebalance_proofs.model.worlds.rings import rings
from rebalance_proofs.model.worlds.views import View, Views


def before(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view (its id, cidAll and mqAll) before the queues were added."""
    first, more = digits

    def sees(queue: int) -> smt.BoolTerm:
        return smt.Not(is_new(smt.IntVal(queue), first, more + 1))

    return tuple(View(smt.IntVal(place), everyone(n), sees) for place in range(n))


def admits(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that the digits give a possible position and number of new queues.

    There is at least one old queue, and the new queues are among the q queues.
    """
    first, more = digits
    return more + 1 < q, first + more + 1 <= q


RING_GROWS = rings(GROWS, Views(GROWS, agreed, before, admits), 1, (3, 2))
