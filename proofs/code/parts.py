"""Assumptions and conclusions of the obligations about a path through a strategy's code.

``e`` is the strategy's encoding; ``taken`` is the path at given values.
"""

from collections.abc import Mapping

from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.statements import Taken, takes
from rebalance_proofs.proofs.obligation import truth_values


def always(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return no assumptions."""
    return {}


def inside(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that all guards are true, so that the path's terms describe the code."""
    return taken.guarded


def counted(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that k is an index of the encoding's list."""
    v = taken.v
    return {"k is an index of the encoding's list": smt.And(0 <= v.k, v.k < e.count(v.q, v.c, v.i))}


def passed(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the loop has an iteration for the encoding's k-th position, and appends it."""
    turn = e.element(taken.v.q, taken.v.c, taken.v.i, taken.v.k)
    return smt.And(taken.keeps(turn), taken.appended(turn) == turn)


def ordered(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the loop reaches the encoding's k-th position before the next one."""
    v = taken.v
    return e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.k + 1)


def passing(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that the loop appends in the iteration ``at``."""
    return {"the loop appends in this iteration": taken.keeps(taken.v.at)}


def ranked(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the encoding's list contains the appended position.

    Together with ``passed`` and ``ordered``, both lists are equal.
    """
    v = taken.v
    rank = e.rank(v.q, v.c, v.i, v.at)
    return smt.And(0 <= rank, rank < e.count(v.q, v.c, v.i), e.element(v.q, v.c, v.i, rank) == v.at)


def as_long(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the code's and the encoding's list have the same length."""
    return taken.length == e.count(taken.v.q, taken.v.c, taken.v.i)


def within(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that k is an index of the code's result."""
    return {"k counts elements": smt.And(0 <= taken.v.k, taken.v.k < taken.length)}


def same(kept: bool | None, e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the encoding gives the consumer the k-th element of the code's result.

    The element is from the selected queues (``kept`` is true), from mqAll (false), or from either (None).
    """
    v = taken.v
    return taken.is_at(v.k, e.element(v.q, v.c, v.i, v.k), kept)


def ranks(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that p is a position of mqAll.

    r is the number of selected queues before p; ``kept`` is 1 if the queue at p is selected itself.
    """
    v = taken.v
    return {
        "p is a position of mqAll": smt.And(0 <= v.p, v.p < v.m),
        "r selected queues are before p": smt.And(0 <= v.r, v.r <= v.p, v.r + v.kept <= v.q),
    } | truth_values(v, "kept")


def all_taken(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the encoding gives the consumer the k-th element of the code's result.

    This is for any positions of other queues between the selected ones.
    """
    return smt.And([smt.Implies(inside, takes(e, taken.v, element)) for inside, element in taken.at(taken.v.k)])


def taken_by_encoding(e: RoomEncoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that the encoding gives the consumer position p."""
    v = taken.v
    return {**ranks(e, taken), "i takes p": e.takes(v.q, v.c, v.i, v.p, v.kept == 1, v.r)}


def there(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that position p is in the code's result, at the index that the encoding gives."""
    v = taken.v
    of_all = taken.is_at(e.rank(v.q, v.c, v.i, v.p), v.p, kept=False)
    return smt.Or(of_all, smt.And(v.kept == 1, taken.is_at(e.rank(v.q, v.c, v.i, v.r), v.r, kept=True)))
