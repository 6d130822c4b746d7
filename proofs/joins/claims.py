"""Claims about several joins, and about a consumer that leaves and returns."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.restarts import RESTARTS
from rebalance_proofs.model.worlds.ring_joins import RING_SEVERAL_JOIN, RING_TWO_JOINS
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import UNBOUNDED, Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.hashing.claims import ANY_RING
from rebalance_proofs.proofs.hashing.joining import JOINING
from rebalance_proofs.proofs.joins.once import NO_RETURN, ONCE
from rebalance_proofs.proofs.joins.restart import OWN_ONLY, RESTART
from rebalance_proofs.proofs.joins.several import SEVERAL
from rebalance_proofs.proofs.obligation import Obligation

Entry = tuple[Strategy, Guarantee, Groups, tuple[Obligation, ...]]

GIVES: tuple[Entry, ...] = (
    (AVERAGELY, ONCE, TWO_JOINS, ()),
    (AVERAGELY, NO_RETURN, TWO_JOINS, ()),
    (AVERAGELY, RESTART, RESTARTS, RESTART.obligations(RESTARTS)),
    (AVERAGELY, OWN_ONLY, RESTARTS, ()),
    (AVERAGELY_BY_CIRCLE, ONCE, TWO_JOINS, ()),
    (AVERAGELY_BY_CIRCLE, NO_RETURN, TWO_JOINS, ()),
    (AVERAGELY_BY_CIRCLE, OWN_ONLY, RESTARTS, ()),
    (CONSISTENT_HASH, ONCE, RING_TWO_JOINS, ()),
    (CONSISTENT_HASH, NO_RETURN, RING_TWO_JOINS, JOINING),
    (CONSISTENT_HASH, SEVERAL, RING_SEVERAL_JOIN, SEVERAL.obligations(RING_SEVERAL_JOIN)),
)
"""Strategy -> the guarantees claimed of it, with their obligations.

A guarantee without obligations is claimed to fail.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about several joins and restarts, in the order of the ledger."""
    return tuple(
        stated(
            "joins",
            (strategy,),
            guarantee,
            world,
            holds=bool(obligations),
            obligations=obligations,
            scope=ANY_RING if strategy is CONSISTENT_HASH else UNBOUNDED,
            assuming=("the same hash function for all consumers",) if strategy is CONSISTENT_HASH else (),
        )
        for strategy, guarantee, world, obligations in GIVES
    )
