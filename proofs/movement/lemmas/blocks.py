"""Blocks of adjacent positions under AVG, and the positions at which a join cuts them.

A block has the queues of one consumer: the positions from ``begin`` up to ``end``. ``index`` is the consumer's index
among c consumers, for q queues.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.movement.lemmas.spread import SPREAD, spread
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def begin(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the first position of the block of ``index``.

    For an empty block it is q, the position after all others.
    """
    return smt.If(e.count(q, c, index) > 0, e.element(q, c, index, smt.IntVal(0)), q)


def end(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the position after the last one of the block of ``index``."""
    return begin(e, q, c, index) + e.count(q, c, index)


def cut(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return where a join cuts the block of ``index``.

    It is the first position of the block of the next index among c + 1 consumers.
    """
    return begin(e, q, c + 1, index + 1)


def first_part(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues of the block of ``index`` before its cut."""
    return cut(e, q, c, index) - begin(e, q, c, index)


def last_part(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues of the block of ``index`` after its cut."""
    return end(e, q, c, index) - cut(e, q, c, index)


def _block(e: Encoding, v: SimpleNamespace) -> Statement:
    inside = smt.And(begin(e, v.q, v.c, v.i) <= v.p, v.p < end(e, v.q, v.c, v.i))
    return Statement(sizes(v) | consumer(v, "i"), e.owns(v.q, v.c, v.i, v.p) == inside)


def _cut_within(e: Encoding, v: SimpleNamespace) -> Statement:
    parts = first_part(e, v.q, v.c, v.i), last_part(e, v.q, v.c, v.i)
    return Statement(sizes(v) | consumer(v, "i") | spread(v), smt.And([part >= 0 for part in parts]))


def _cut_owner(e: Encoding, v: SimpleNamespace) -> Statement:
    same, following = (e.owns(v.q, v.c + 1, index, v.p) for index in (v.i, v.i + 1))
    before = v.p < cut(e, v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i") | {"i of c owns p": e.owns(v.q, v.c, v.i, v.p)} | spread(v),
        smt.And(same == before, following == smt.Not(before)),
    )


BLOCKS = (
    Obligation(
        "block",
        "A result contains every position between its first and its last element.",
        ("q", "c", "i", "p"),
        _block,
    ),
    Obligation("cut.within", "The cut is inside the block.", ("q", "c", "i"), _cut_within),
    Obligation(
        "cut.owner",
        "Index i of c + 1 takes the part of block i before the cut, and index i + 1 takes the rest.",
        ("q", "c", "i", "p"),
        _cut_owner,
    ),
    SPREAD,
)
"""Obligations that a join cuts each block once, at the same position for every joiner.

A consumer that sorts before the joiner keeps its index, and therefore the first part of its block. A consumer that
sorts after it gets the next index, and keeps the last part. The joiner's index only decides which part of a block
changes hands.
"""
