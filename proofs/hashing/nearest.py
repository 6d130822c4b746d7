"""Proof that without collisions, a queue finds its nearest node for any order of insertion.

The induction is along one ring, in any order. If two rings have the same nodes, the node found on one ring is also on
the other. So neither of the two found nodes is nearer than the other. Of two different hash values, one is nearer.
Therefore both found nodes are the same.
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


def nearest(nearer: Nearer) -> tuple[Obligation, ...]:
    """Return the obligations that a queue finds its nearest node.

    ``nearer`` is the client's search order on the ring.
    """

    def step(e: RingEncoding, v: SimpleNamespace) -> Statement:
        after = e.put(v.h, state(v), new_node(v))
        return Statement(
            truth_values(v, "found")
            | {
                "the queue reaches a node": v.found == 1,
                "no node z on the ring is nearer": smt.Not(nearer(v.h, v.z, v.x)),
                "the next node has no collision": smt.And(v.y != v.x, v.y != v.z),
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
                "the node that one ring names is on the other ring, and not nearer": smt.Not(nearer(v.h, v.x, v.x2)),
                "the same holds with the rings exchanged": smt.Not(nearer(v.h, v.x2, v.x)),
                "no two virtual nodes have the same hash value": smt.Implies(v.x == v.x2, v.o == v.o2),
            },
            smt.And(v.x == v.x2, v.o == v.o2),
        )

    return (
        Obligation("nearest.base", "A ring with one virtual node names this node.", ("h", *FIRST, *NEW), first_node),
        Obligation(
            "nearest.step",
            "After one more virtual node, the ring names the old or the new node, and no node is nearer.",
            ("h", *FIRST, *NEW, "z"),
            step,
        ),
        Obligation(
            "nearest.unique",
            "Two rings with the same nodes name the same node, for any orders of insertion.",
            ("h", *FIRST[1:], *SECOND[1:]),
            unique,
        ),
    )


NEAREST, NEAREST_GO = nearest(nearer), nearest(nearer_behind)
