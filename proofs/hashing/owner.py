"""Proof that a queue has exactly one owner under CONSISTENT_HASH.

The proof is by induction over the virtual nodes in their order of insertion.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.ring import Nearest, RingEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.hashing.state import FIRST, NEW, SECOND, both_empty, new_node, state
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, truth_values


def _base(e: RingEncoding, v: SimpleNamespace) -> Statement:
    after = e.put(v.h, state(v), new_node(v))
    return Statement(
        {"the ring is empty": v.found == 0} | consumer(v, "k"),
        smt.And(after.found, after.owner == v.k),
    )


def _step(e: RingEncoding, v: SimpleNamespace) -> Statement:
    after = e.put(v.h, state(v), new_node(v))
    return Statement(
        {"the queue has an owner": v.found == 1} | consumer(v, "o") | consumer(v, "k"),
        smt.And(after.found, 0 <= after.owner, after.owner < v.c),
    )


def _same_base(e: RingEncoding, v: SimpleNamespace) -> Statement:
    one, other = e.put(v.h, state(v), new_node(v)), e.put(v.h, state(v, SECOND), new_node(v))
    return Statement(both_empty(v), _equal(one, other))


def _same_step(e: RingEncoding, v: SimpleNamespace) -> Statement:
    one, other = e.put(v.h, state(v), new_node(v)), e.put(v.h, state(v, SECOND), new_node(v))
    return Statement(
        truth_values(v, "found", "found2") | {"both rings name the same node": _equal(state(v), state(v, SECOND))},
        _equal(one, other),
    )


def _equal(one: Nearest, other: Nearest) -> smt.BoolTerm:
    same = smt.And(one.hash == other.hash, one.owner == other.owner)
    return smt.And(one.found == other.found, smt.Implies(one.found, same))


def _exclusive(e: RingEncoding, v: SimpleNamespace) -> Statement:
    after = e.put(v.h, state(v), new_node(v))
    return Statement(
        truth_values(v, "found")
        | {
            "i and j are different ids": v.i != v.j,
            "i takes the queue: it is the owner": smt.And(after.found, after.owner == v.i),
        },
        smt.Not(smt.And(after.found, after.owner == v.j)),
    )


OWNER = (
    Obligation(
        "owner.base",
        "The first virtual node gives the queue an owner: the node's consumer.",
        ("c", "h", *FIRST, *NEW),
        _base,
    ),
    Obligation(
        "owner.step",
        "After one more virtual node, the queue still has an owner, and the owner is a consumer.",
        ("c", "h", *FIRST, *NEW),
        _step,
    ),
)
"""Obligations that every queue has an owner as soon as the ring has a virtual node."""

EXCLUSIVE = Obligation(
    "exclusive", "No other id takes the queue of an owner.", ("h", *FIRST, *NEW, "i", "j"), _exclusive
)
SAME_OWNER = (
    Obligation(
        "same.base",
        "Two empty rings name the same node after the same first node is added.",
        ("h", *FIRST, *SECOND, *NEW),
        _same_base,
    ),
    Obligation(
        "same.step",
        "Two rings that name the same node still do so after the same next node is added.",
        ("h", *FIRST, *SECOND, *NEW),
        _same_step,
    ),
    EXCLUSIVE,
)
"""Obligations that consumers with the same ring compute the same owner of a queue.

The ring is the same if the same nodes are inserted in the same order. No other consumer takes the queue.
"""
