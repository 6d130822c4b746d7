"""CONSISTENT_HASH as terms, for any hash function: where one queue goes, updated for each inserted virtual node.

The owner of a queue is found by a fold over the virtual nodes in the order in which they are put on the ring. Hash
values are integers that are only compared, so that nothing depends on the hash function or on its range.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import YES

__all__ = ["MUTANTS", "MUTANTS_GO", "RING", "RING_GO", "Nearest", "Node", "RingEncoding"]


@dataclass(frozen=True)
class Node:
    """One virtual node that is put on the ring."""

    hash: smt.IntTerm
    owner: smt.IntTerm
    """The number of the consumer that the node belongs to."""
    present: smt.BoolTerm = YES
    """Whether it is put on the ring at all."""


@dataclass(frozen=True)
class Nearest:
    """The node that a queue goes to, among the nodes that are on the ring so far."""

    found: smt.BoolTerm
    """False while the queue reaches no node."""
    hash: smt.IntTerm
    owner: smt.IntTerm


Test = Callable[[smt.IntTerm, smt.IntTerm], smt.BoolTerm]
Takes = Callable[[smt.BoolTerm, smt.IntTerm, smt.BoolTerm, smt.IntTerm], smt.BoolTerm]


@dataclass(frozen=True)
class RingEncoding:
    """The comparisons that decide which of two virtual nodes a queue goes to."""

    behind: Test
    """``behind(queue, node)``: from the queue's hash, the node is reached only around the end of the ring."""
    reaches: Test
    """``reaches(queue, node)``: the queue can go to the node."""
    takes: Takes
    """``takes(behind_new, new, behind_old, old)``: the new node is preferred to the old one."""

    def put(self, queue: smt.IntTerm, nearest: Nearest, node: Node) -> Nearest:
        """Where the queue goes after ``node`` was put on the ring."""
        preferred = self.takes(self.behind(queue, node.hash), node.hash, self.behind(queue, nearest.hash), nearest.hash)
        wins = smt.Or(smt.Not(nearest.found), preferred)
        changes = smt.And(node.present, self.reaches(queue, node.hash), wins)
        return Nearest(
            smt.Or(nearest.found, changes),
            smt.If(changes, node.hash, nearest.hash),
            smt.If(changes, node.owner, nearest.owner),
        )

    def route(self, queue: smt.IntTerm, nodes: Iterable[Node]) -> Nearest:
        """Where the queue goes when all ``nodes`` have been put on the ring, in this order."""
        nearest = Nearest(smt.BoolVal(False), smt.IntVal(0), smt.IntVal(NOBODY))
        for node in nodes:
            nearest = self.put(queue, nearest, node)
        return nearest


NOBODY = -1
"""Stands for the owner of a queue that reaches no node."""


def behind(queue: smt.IntTerm, node: smt.IntTerm) -> smt.BoolTerm:
    """Java: a node is behind the queue when its hash is below the queue's."""
    return node < queue


def reaches(queue: smt.IntTerm, node: smt.IntTerm) -> smt.BoolTerm:
    """Every node is reached, by going around the ring."""
    return smt.BoolVal(True)


def takes(behind_new: smt.BoolTerm, new: smt.IntTerm, behind_old: smt.BoolTerm, old: smt.IntTerm) -> smt.BoolTerm:
    """Nodes in front of the queue come first, then the smaller hash; of equal ones the later is left on the ring."""
    return smt.If(behind_new == behind_old, new <= old, smt.Not(behind_new))


def ring(behind: Test = behind, reaches: Test = reaches, takes: Takes = takes) -> RingEncoding:
    """The encoding from its three parts; a mutant replaces one of them."""
    return RingEncoding(behind, reaches, takes)


def at_or_behind(queue: smt.IntTerm, node: smt.IntTerm) -> smt.BoolTerm:
    """Go: a node at the queue's own hash is behind the queue, too."""
    return node <= queue


RING = ring()
RING_GO = ring(behind=at_or_behind)
"""The Go client takes the first node behind the hash."""

FIRST_ON_COLLISION = "Of two virtual nodes with one hash the first stays on the ring."
NO_WRAP = "A queue behind the last virtual node does not go to the first."
NEAR_ENOUGH = "A node that is put later wins if its hash is at most {} larger."
LAST_PUT = "Of the virtual nodes on one side of the queue the one that is put last is taken."
NO_COLLISIONS = "disjoint.without-same-id-order-or-collisions"
"""The claim about consumers that put the nodes on their rings in different orders."""


def first_stays(behind_new: smt.BoolTerm, new: smt.IntTerm, behind_old: smt.BoolTerm, old: smt.IntTerm) -> smt.BoolTerm:
    """Wrong: of two nodes with one hash the old one stays."""
    return smt.If(behind_new == behind_old, new < old, smt.Not(behind_new))


def near_enough(distance: int) -> Takes:
    """Wrong: the new node wins unless its hash is larger by more than ``distance``."""
    return lambda behind_new, new, behind_old, old: smt.If(
        behind_new == behind_old, new <= old + distance, smt.Not(behind_new)
    )


def last_put(behind_new: smt.BoolTerm, new: smt.IntTerm, behind_old: smt.BoolTerm, old: smt.IntTerm) -> smt.BoolTerm:
    """Wrong: of two nodes on the same side of the queue the new one always wins."""
    return smt.Or(behind_new == behind_old, smt.Not(behind_new))


MUTANTS = (
    Mutant(
        "strict-successor",
        "The tail of the ring begins behind the queue's own hash (`>` for `>=`).",
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
        "The tail of the ring begins at the queue's own hash (`>=` for `>`).",
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
