"""Without collisions the order of insertion does not matter: a ring names the nearest of all its nodes.

The induction is along one ring, in any order. Of two rings with the same nodes each names a node that is also on the
other, so that neither is nearer; of two different hash values one is.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.ring import RingEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.hashing.state import (
    FIRST,
    NEW,
    SECOND,
    Nearer,
    first_node,
    is_node,
    nearer,
    nearer_behind,
    new_node,
    state,
)
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values

__all__ = ["NEAREST", "NEAREST_GO"]


def nearest(nearer: Nearer) -> tuple[Obligation, ...]:
    """The obligations for a client whose search order on the ring is ``nearer``."""

    def step(e: RingEncoding, v: SimpleNamespace) -> Statement:
        after = e.put(v.h, state(v), new_node(v))
        return Statement(
            truth_values(v, "found")
            | {
                "the queue reaches a node": v.found == 1,
                "no node z on the ring is nearer": smt.Not(nearer(v.h, v.z, v.x)),
                "the next node collides with none": smt.And(v.y != v.x, v.y != v.z),
            },
            smt.And(
                after.found,
                smt.Or(is_node(after, v.x, v.o), is_node(after, v.y, v.k)),
                *(smt.Not(nearer(v.h, other, after.hash)) for other in (v.z, v.x, v.y)),
            ),
        )

    def unique(e: RingEncoding, v: SimpleNamespace) -> Statement:
        return Statement(
            {
                "the node that the one ring names is on the other, and not nearer": smt.Not(nearer(v.h, v.x, v.x2)),
                "and the other way around": smt.Not(nearer(v.h, v.x2, v.x)),
                "no two virtual nodes have one hash value": smt.Implies(v.x == v.x2, v.o == v.o2),
            },
            smt.And(v.x == v.x2, v.o == v.o2),
        )

    return (
        Obligation("nearest.base", "The first virtual node is the one.", ("h", *FIRST, *NEW), first_node),
        Obligation(
            "nearest.step",
            "With one more virtual node, the one that is named is one of them, and none is nearer.",
            ("h", *FIRST, *NEW, "z"),
            step,
        ),
        Obligation(
            "nearest.unique",
            "Two rings with the same nodes, put in any orders, name the same one.",
            ("h", *FIRST[1:], *SECOND[1:]),
            unique,
        ),
    )


NEAREST, NEAREST_GO = nearest(nearer), nearest(nearer_behind)
