"""The worlds of CONSISTENT_HASH where several consumers join, at once or one by one.

A view is what one consumer sees: its id, cidAll and mqAll.
"""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.ring import RingEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.ring_views import agreed
from rebalance_proofs.model.worlds.rings import rings, symbolic_ring
from rebalance_proofs.model.worlds.several_joins import SEVERAL_JOIN
from rebalance_proofs.model.worlds.staged import StagedGroup
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.model.worlds.views import Listed, View, Views


def present(there: Sequence[smt.BoolTerm]) -> tuple[View, ...]:
    """Return each consumer's view if the consumers marked in ``there`` see each other."""
    ids = tuple((place, Listed(smt.IntVal(place), condition)) for place, condition in enumerate(there))
    return tuple(View(smt.IntVal(place), ids, listed=condition) for place, condition in enumerate(there))


def old(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view before the joins, without the joining consumers."""
    return present([digit == 0 for digit in digits])


def some(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that at least one consumer joins and one was present before."""
    return smt.Or([digit == 1 for digit in digits]), smt.Or([digit == 0 for digit in digits])


def before(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view before both joins, without the two joining consumers."""
    return present([smt.And([joiner != place for joiner in digits]) for place in range(n)])


def between(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view between the joins, without the second joining consumer."""
    return present([digits[1] != place for place in range(n)])


def different(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that two different consumers join and one was present before."""
    return digits[0] != digits[1], smt.BoolVal(n > 2)


VIRTUAL_NODES = 1


def staged(encodings: Sequence[RingEncoding], n: int, q: int) -> StagedGroup:
    """Return the group before, between and after two joins, with one ring for all three stages."""
    later = symbolic_ring(encodings[0], Views(TWO_JOINS, agreed, between, different), VIRTUAL_NODES, n, q)
    earlier = symbolic_ring(encodings[0], Views(TWO_JOINS, before, admits=different), VIRTUAL_NODES, n, q)
    return StagedGroup(**vars(later), earlier=earlier.members)


RING_SEVERAL_JOIN = rings(SEVERAL_JOIN, Views(SEVERAL_JOIN, agreed, old, some), VIRTUAL_NODES, (3, 2))
RING_TWO_JOINS = replace(
    rings(TWO_JOINS, Views(TWO_JOINS, agreed, between, different), VIRTUAL_NODES, (3, 2)), symbolic=staged
)
