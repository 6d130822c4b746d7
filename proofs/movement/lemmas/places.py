"""Indexes before and after a join. Obligations are about c consumers, and a joiner j that makes them c + 1."""

from types import SimpleNamespace

import z3


def joiner(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """Premise: ``j`` is the index of the joiner."""
    return {"j is an index among c + 1": z3.And(0 <= v.j, v.j <= v.c)}


def behind(v: SimpleNamespace) -> z3.ArithRef:
    """1 if ``i`` of c sorts behind the joiner, 0 if it sorts before it."""
    return z3.If(v.i < v.j, z3.IntVal(0), z3.IntVal(1))


def later(v: SimpleNamespace) -> z3.ArithRef:
    """The index, among c + 1 consumers, of the consumer that was ``i`` of c."""
    index: z3.ArithRef = v.i + behind(v)
    return index
