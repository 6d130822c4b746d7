"""CONSISTENT_HASH as SMT terms, for any hash function.

The terms compute the node that one queue goes to, after each added virtual node. The owner of a queue is a fold over
the virtual nodes, in the order in which they are added to the ring. Hash values are integers that are only compared, so
nothing depends on the hash function or on its range.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import YES
from rebalance_proofs.model.terms.values import Mutant


@dataclass(frozen=True)
class Node:
    """One virtual node that may be added to the ring."""

    hash: smt.IntTerm
    owner: smt.IntTerm
    """The number of the consumer that the virtual node belongs to."""
    present: smt.BoolTerm = YES
    """True if the node is added to the ring."""


@dataclass(frozen=True)
class Nearest:
    """The virtual node that a queue goes to, among the nodes added so far."""

    found: smt.BoolTerm
    """False while no virtual node was added that the queue can go to."""
    hash: smt.IntTerm
    owner: smt.IntTerm


Test = Callable[[smt.IntTerm, smt.IntTerm], smt.BoolTerm]
Takes = Callable[[smt.BoolTerm, smt.IntTerm, smt.BoolTerm, smt.IntTerm], smt.BoolTerm]


@dataclass(frozen=True)
class RingEncoding:
    """SMT encoding of a hash ring: comparisons that decide which virtual node a queue goes to."""

    behind: Test
    """``behind(queue, node)``: true if the search must wrap around the ring to reach the node.

    The arguments are hash values. The search starts at the queue's hash.
    """
    reaches: Test
    """``reaches(queue, node)``: true if the search can find the node at all.

    The arguments are hash values.
    """
    takes: Takes
    """``takes(behind_new, new, behind_old, old)``: whether a new node is preferred.

    ``behind_new`` and ``behind_old``: results of ``behind``; ``new`` and ``old``: hash values.
    """

    def put(self, queue: smt.IntTerm, nearest: Nearest, node: Node) -> Nearest:
        """Return the virtual node that the queue goes to after ``node`` was added to the ring.

        ``queue``: the queue's hash; ``nearest``: its virtual node before.
        """
        preferred = self.takes(self.behind(queue, node.hash), node.hash, self.behind(queue, nearest.hash), nearest.hash)
        wins = smt.Or(smt.Not(nearest.found), preferred)
        changes = smt.And(node.present, self.reaches(queue, node.hash), wins)
        return Nearest(
            smt.Or(nearest.found, changes),
            smt.If(changes, node.hash, nearest.hash),
            smt.If(changes, node.owner, nearest.owner),
        )

    def route(self, queue: smt.IntTerm, nodes: Iterable[Node]) -> Nearest:
        """Return the virtual node that the queue goes to after ``nodes`` were added in this order.

        ``queue``: the queue's hash.
        """
        nearest = Nearest(smt.BoolVal(False), smt.IntVal(0), smt.IntVal(NOBODY))
        for node in nodes:
            nearest = self.put(queue, nearest, node)
        return nearest


NOBODY = -1
"""The owner's number if a queue can go to no virtual node."""


def behind(queue: smt.IntTerm, node: smt.IntTerm) -> smt.BoolTerm:
    """Return Java's condition: the node's hash is smaller than the queue's."""
    return node < queue


def reaches(queue: smt.IntTerm, node: smt.IntTerm) -> smt.BoolTerm:
    """Return true: the search wraps around the ring, so it can find every node."""
    return smt.BoolVal(True)


def takes(behind_new: smt.BoolTerm, new: smt.IntTerm, behind_old: smt.BoolTerm, old: smt.IntTerm) -> smt.BoolTerm:
    """Prefer a node that the search reaches before it wraps around, then the smaller hash.

    Of equal hashes, the later node stays on the ring.
    """
    return smt.If(behind_new == behind_old, new <= old, smt.Not(behind_new))


def ring(behind: Test = behind, reaches: Test = reaches, takes: Takes = takes) -> RingEncoding:
    """Build the encoding of a ring from its three parts. A mutant replaces one of the parts."""
    return RingEncoding(behind, reaches, takes)


def at_or_behind(queue: smt.IntTerm, node: smt.IntTerm) -> smt.BoolTerm:
    """Return Go's condition: the node's hash is at most the queue's."""
    return node <= queue


RING = ring()
RING_GO = ring(behind=at_or_behind)
"""The Go client takes the first node strictly after the queue's hash."""

FIRST_ON_COLLISION = "Of two virtual nodes with the same hash, the first one stays on the ring."
NO_WRAP = "A queue after the last virtual node does not wrap around to the first one."
NEAR_ENOUGH = "A node that is added later wins if its hash is at most {} larger."
LAST_PUT = "Of the virtual nodes on one side of the queue, the one that is added last wins."
NO_COLLISIONS = "disjoint.without-same-id-order-or-collisions"
"""The claim about consumers that add virtual nodes to their rings in different orders."""


def first_stays(behind_new: smt.BoolTerm, new: smt.IntTerm, behind_old: smt.BoolTerm, old: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong preference: of two nodes with the same hash, the old one stays."""
    return smt.If(behind_new == behind_old, new < old, smt.Not(behind_new))


def near_enough(distance: int) -> Takes:
    """Return a wrong preference: a new node whose hash is not much larger wins, too.

    The limit is a hash larger by ``distance``.
    """
    return lambda behind_new, new, behind_old, old: smt.If(
        behind_new == behind_old, new <= old + distance, smt.Not(behind_new)
    )


def last_put(behind_new: smt.BoolTerm, new: smt.IntTerm, behind_old: smt.BoolTerm, old: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong preference: the new node wins, whatever the two hash values are.

    Only a node that the search reaches before it wraps around is still preferred to one after that.
    """
    return smt.Or(behind_new == behind_old, smt.Not(behind_new))


MUTANTS = (
    Mutant(
        "strict-successor",
        "The search starts strictly after the queue's own hash (`>` instead of `>=`).",
        ring(behind=at_or_behind),
        breaks="successor",
    ),
    Mutant("first-on-collision", FIRST_ON_COLLISION, ring(takes=first_stays), breaks="successor"),
    Mutant("no-wrap", NO_WRAP, ring(reaches=lambda queue, node: node >= queue), breaks="covers"),
    Mutant("one-behind-is-near-enough", NEAR_ENOUGH.format("one"), ring(takes=near_enough(1)), breaks="monotone"),
    Mutant("two-behind-is-near-enough", NEAR_ENOUGH.format("two"), ring(takes=near_enough(2)), breaks="several"),
    Mutant("three-behind-is-near-enough", NEAR_ENOUGH.format("three"), ring(takes=near_enough(3)), breaks="no-return"),
    Mutant("last-put", LAST_PUT, ring(takes=last_put), breaks=NO_COLLISIONS),
)
MUTANTS_GO = (
    Mutant(
        "successor-at-the-hash",
        "The search starts at the queue's own hash (`>=` instead of `>`).",
        ring(),
        breaks="successor",
    ),
    Mutant("first-on-collision", FIRST_ON_COLLISION, ring(at_or_behind, takes=first_stays), breaks="successor"),
    Mutant("no-wrap", NO_WRAP, ring(at_or_behind, reaches=lambda queue, node: node > queue), breaks="covers"),
    Mutant(
        "one-behind-is-near-enough",
        NEAR_ENOUGH.format("one"),
        ring(at_or_behind, takes=near_enough(1)),
        breaks="monotone",
    ),
    Mutant("last-put", LAST_PUT, ring(at_or_behind, takes=last_put), breaks=NO_COLLISIONS),
)
