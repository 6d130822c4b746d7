"""State of the inductions about hash rings: the node that an arbitrary queue finds.

Virtual nodes are inserted one after another. A state has three variables: whether the queue finds a node yet, the
node's hash value, and its consumer. All variables are for one queue with the hash value ``h``; queues do not
influence each other.
"""

from collections.abc import Callable
from types import SimpleNamespace

from rebalance_proofs.model.allocation.ring import Nearest, Node, RingEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Statement, truth_values

FIRST = ("found", "x", "o")
"""Names of the state's variables for the first ring.

Most inductions are about only this ring.
"""
SECOND = ("found2", "x2", "o2")
"""Names of the state's variables for a second ring."""
NEW = ("y", "k")
"""Names of the variables for the next virtual node: its hash value and consumer."""


def state(v: SimpleNamespace, names: tuple[str, str, str] = FIRST) -> Nearest:
    """Return the state that consists of the variables ``names``."""
    found, hash_, owner = (getattr(v, name) for name in names)
    return Nearest(found == 1, hash_, owner)


def new_node(v: SimpleNamespace) -> Node:
    """Return the virtual node that is inserted next."""
    return Node(v.y, v.k)


def is_node(nearest: Nearest, hash_: smt.IntTerm, owner: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that the queue finds the node with that hash value and consumer."""
    return smt.And(nearest.hash == hash_, nearest.owner == owner)


def first_node(e: RingEncoding, v: SimpleNamespace) -> Statement:
    """State the base of an induction along one ring: the queue finds the first virtual node."""
    after = e.put(v.h, state(v), new_node(v))
    return Statement({"the ring is empty": v.found == 0}, smt.And(after.found, is_node(after, v.y, v.k)))


def both_empty(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that both rings are empty: the base of an induction over two rings."""
    return {"both rings are empty": smt.And(v.found == 0, v.found2 == 0)}


def invariant(
    v: SimpleNamespace, related: Callable[[SimpleNamespace, Nearest, Nearest], smt.BoolTerm]
) -> dict[str, smt.BoolTerm]:
    """Return the assumption of an induction step: ``related(v, first, second)``.

    ``first`` and ``second`` are the states of the two rings.
    """
    before = {"the invariant holds so far": related(v, state(v), state(v, SECOND))}
    return truth_values(v, "found", "found2") | before


Nearer = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
"""``nearer(queue, one, other)``: the search from the queue's hash finds ``one`` first.

``one`` and ``other`` are hash values of nodes.
"""


def nearer(queue: smt.IntTerm, one: smt.IntTerm, other: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that a search from the hash ``queue`` finds ``one`` before ``other``.

    The search goes upwards and around the end. A node with the queue's own hash comes first.
    """
    return smt.If((one >= queue) == (other >= queue), one < other, one >= queue)


def nearer_behind(queue: smt.IntTerm, one: smt.IntTerm, other: smt.IntTerm) -> smt.BoolTerm:
    """Return the same condition as ``nearer`` for the Go client.

    There, a node with the queue's own hash comes last.
    """
    return smt.If((one > queue) == (other > queue), one < other, one > queue)
