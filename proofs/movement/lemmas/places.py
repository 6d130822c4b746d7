"""Indexes before and after a join. Obligations are about c consumers, and a joiner j that makes them c + 1."""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt


def joiner(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Premise: ``j`` is the index of the joiner."""
    return {"j is an index among c + 1": smt.And(0 <= v.j, v.j <= v.c)}


def behind(v: SimpleNamespace) -> smt.IntTerm:
    """1 if ``i`` of c sorts behind the joiner, 0 if it sorts before it."""
    return smt.If(v.i < v.j, smt.IntVal(0), smt.IntVal(1))


def later(v: SimpleNamespace) -> smt.IntTerm:
    """The index, among c + 1 consumers, of the consumer that was ``i`` of c."""
    index: smt.IntTerm = v.i + behind(v)
    return index
