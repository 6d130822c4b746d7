"""Obligations that the encoding's list and set of a consumer's queues agree.

Several guarantees depend on them. ``count`` and ``element`` describe a consumer's result as a list, ``owns``
describes it as a set.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _sound(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"k counts elements": smt.And(0 <= v.k, v.k < e.count(v.q, v.c, v.i))},
        e.owns(v.q, v.c, v.i, e.element(v.q, v.c, v.i, v.k)),
    )


def _complete(e: Encoding, v: SimpleNamespace) -> Statement:
    rank = e.rank(v.q, v.c, v.i, v.p)
    return Statement(
        sizes(v) | consumer(v, "i") | {"i owns p": e.owns(v.q, v.c, v.i, v.p)},
        smt.And(0 <= rank, rank < e.count(v.q, v.c, v.i), e.element(v.q, v.c, v.i, rank) == v.p),
    )


def _ascending(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"k before l": smt.And(0 <= v.k, v.k < v.l, v.l < e.count(v.q, v.c, v.i))},
        e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.l),
    )


SOUND = Obligation("list.sound", "The consumer owns every element of its list.", ("q", "c", "i", "k"), _sound)
COMPLETE = Obligation(
    "list.complete", "Every position that the consumer owns is in its list.", ("q", "c", "i", "p"), _complete
)
ASCENDING = Obligation("list.ascending", "The list is strictly ascending.", ("q", "c", "i", "k", "l"), _ascending)

LISTING = (SOUND, COMPLETE, ASCENDING)
"""Obligations that the list has each owned position once, in mqAll's order, and no other.

Its length is therefore the number of owned positions.
"""
