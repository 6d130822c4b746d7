"""The parts of what is proved of a path: of what each speaks, and what it says."""

from collections.abc import Mapping

import z3

from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.proofs.code.statements import Taken, takes
from rebalance_proofs.proofs.obligation import truth_values


def always(e: Encoding, taken: Taken) -> Mapping[str, z3.BoolRef]:
    """Of everything."""
    return {}


def inside(e: Encoding, taken: Taken) -> z3.BoolRef:
    """The terms say what the code does."""
    return taken.guarded


def counted(e: Encoding, taken: Taken) -> Mapping[str, z3.BoolRef]:
    """Of a place in the encoding's list."""
    v = taken.v
    return {"k counts the encoding's elements": z3.And(0 <= v.k, v.k < e.count(v.q, v.c, v.i))}


def passed(e: Encoding, taken: Taken) -> z3.BoolRef:
    """The loop comes to the encoding's k-th position, and appends it."""
    turn = e.element(taken.v.q, taken.v.c, taken.v.i, taken.v.k)
    return z3.And(taken.keeps(turn), taken.appended(turn) == turn)


def ordered(e: Encoding, taken: Taken) -> z3.BoolRef:
    """It comes to it before it comes to the next one."""
    v = taken.v
    return e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.k + 1)


def passing(e: Encoding, taken: Taken) -> Mapping[str, z3.BoolRef]:
    """Of a turn in which the loop appends."""
    return {"the loop appends in this turn": taken.keeps(taken.v.at)}


def ranked(e: Encoding, taken: Taken) -> z3.BoolRef:
    """The encoding's list has what it appends, so that with the two before there is nothing else."""
    v = taken.v
    rank = e.rank(v.q, v.c, v.i, v.at)
    return z3.And(0 <= rank, rank < e.count(v.q, v.c, v.i), e.element(v.q, v.c, v.i, rank) == v.at)


def as_long(e: Encoding, taken: Taken) -> z3.BoolRef:
    """Both lists are equally long."""
    return taken.length == e.count(taken.v.q, taken.v.c, taken.v.i)


def within(e: Encoding, taken: Taken) -> Mapping[str, z3.BoolRef]:
    """Of a place in the result."""
    return {"k counts elements": z3.And(0 <= taken.v.k, taken.v.k < taken.length)}


def same(kept: bool | None, e: Encoding, taken: Taken) -> z3.BoolRef:
    """There stands what the encoding has there, of the list ``kept`` (of whichever, if None)."""
    v = taken.v
    return taken.is_at(v.k, e.element(v.q, v.c, v.i, v.k), kept)


def ranks(e: Encoding, taken: Taken) -> Mapping[str, z3.BoolRef]:
    """Of a position of mqAll, of which r and ``kept`` say what part of mqAll is kept."""
    v = taken.v
    return {
        "p is a position of mqAll": z3.And(0 <= v.p, v.p < v.m),
        "r kept ones are in front of it": z3.And(0 <= v.r, v.r <= v.p, v.r + v.kept <= v.q),
    } | truth_values(v, "kept")


def all_taken(e: Encoding, taken: Taken) -> z3.BoolRef:
    """What stands at k is taken by the encoding, wherever others stand between."""
    return z3.And([z3.Implies(inside, takes(e, taken.v, element)) for inside, element in taken.at(taken.v.k)])


def taken_by_encoding(e: RoomEncoding, taken: Taken) -> Mapping[str, z3.BoolRef]:
    """Of a position that the encoding takes."""
    v = taken.v
    return {**ranks(e, taken), "i takes p": e.takes(v.q, v.c, v.i, v.p, v.kept == 1, v.r)}


def there(e: Encoding, taken: Taken) -> z3.BoolRef:
    """It stands in the result, at the place that the encoding says."""
    v = taken.v
    of_all = taken.is_at(e.rank(v.q, v.c, v.i, v.p), v.p, kept=False)
    return z3.Or(of_all, z3.And(v.kept == 1, taken.is_at(e.rank(v.q, v.c, v.i, v.r), v.r, kept=True)))
