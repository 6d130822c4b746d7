"""Indexes of consumers before and after a join.

Obligations are about c consumers, and a joiner j as one more consumer.
"""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt


def joiner(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that ``j`` is the index of the joiner."""
    return {"j is an index among c + 1 consumers": smt.And(0 <= v.j, v.j <= v.c)}


def behind(v: SimpleNamespace) -> smt.IntTerm:
    """Return 1 if consumer ``i`` of c sorts after the joiner, 0 if it sorts before it."""
    return smt.If(v.i < v.j, smt.IntVal(0), smt.IntVal(1))


def later(v: SimpleNamespace) -> smt.IntTerm:
    """Return the index after the join of the consumer with index ``i`` before it."""
    index: smt.IntTerm = v.i + behind(v)
    return index
