"""Terms as z3py has them, and back: for what Z3 does with terms instead of texts."""

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, cast

import z3

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.sorts import BOOL, INT, ArraySort, Sort, array_sort, sort

__all__ = ["of_z3", "simplify_by_z3", "to_z3"]

_FROM_Z3: Mapping[int, str] = {
    z3.Z3_OP_ADD: operators.ADD,
    z3.Z3_OP_AND: operators.AND,
    z3.Z3_OP_DISTINCT: operators.DISTINCT,
    z3.Z3_OP_EQ: operators.EQ,
    z3.Z3_OP_FALSE: operators.FALSE,
    z3.Z3_OP_GE: operators.GE,
    z3.Z3_OP_GT: operators.GT,
    z3.Z3_OP_IDIV: operators.IDIV,
    z3.Z3_OP_IMPLIES: operators.IMPLIES,
    z3.Z3_OP_ITE: operators.ITE,
    z3.Z3_OP_LE: operators.LE,
    z3.Z3_OP_LT: operators.LT,
    z3.Z3_OP_MOD: operators.MOD,
    z3.Z3_OP_MUL: operators.MUL,
    z3.Z3_OP_NOT: operators.NOT,
    z3.Z3_OP_OR: operators.OR,
    z3.Z3_OP_SELECT: operators.SELECT,
    z3.Z3_OP_STORE: operators.STORE,
    z3.Z3_OP_SUB: operators.SUB,
    z3.Z3_OP_TRUE: operators.TRUE,
    z3.Z3_OP_UMINUS: operators.NEG,
    z3.Z3_OP_ANUM: operators.NUMERAL,
    z3.Z3_OP_UNINTERPRETED: operators.UNINTERPRETED,
}

# Methods are named where Python would ask the right side first: numerals are a subclass.
_BUILT: Mapping[str, Callable[..., z3.ExprRef]] = {
    operators.ADD: lambda *operands: z3.Sum(operands),
    operators.AND: lambda *operands: z3.And(operands),
    operators.DISTINCT: lambda *operands: z3.Distinct(*operands),
    operators.EQ: lambda x, y: x.__eq__(y),
    operators.FALSE: lambda: z3.BoolVal(False),
    operators.GE: lambda x, y: x.__ge__(y),
    operators.GT: lambda x, y: x.__gt__(y),
    operators.IDIV: operator.truediv,
    operators.IMPLIES: z3.Implies,
    operators.ITE: z3.If,
    operators.LE: lambda x, y: x.__le__(y),
    operators.LT: lambda x, y: x.__lt__(y),
    operators.MOD: operator.mod,
    operators.MUL: lambda *operands: z3.Product(operands),
    operators.NEG: operator.neg,
    operators.NOT: z3.Not,
    operators.OR: lambda *operands: z3.Or(operands),
    operators.SELECT: operator.getitem,
    operators.STORE: z3.Store,
    operators.SUB: lambda first, *others: reduce(operator.sub, others, first),
    operators.TRUE: lambda: z3.BoolVal(True),
}


def simplify_by_z3(term: smt.T, **options: bool) -> smt.T:
    """An equal term, as Z3 simplifies it; ``simplified.simplify`` asks only where there are unknowns."""
    return cast(smt.T, of_z3(z3.simplify(to_z3(term), **options)))


def to_z3(term: smt.Term) -> Any:
    """The same term as z3py has it, in its main context."""
    done: dict[int, z3.ExprRef] = {}
    for one in smt.subterms(term):
        done[id(one)] = _built(one, [done[id(child)] for child in one.children])
    return done[id(term)]


def _built(term: smt.Term, operands: list[Any]) -> z3.ExprRef:
    if isinstance(term, smt.Numeral):
        return z3.IntVal(term.number)
    if term.kind == operators.UNINTERPRETED:
        function = term.function
        if not operands:
            return z3.Const(function.name, _sort(function.value))
        made: z3.ExprRef = z3.Function(function.name, *map(_sort, function.arguments), _sort(function.value))(*operands)
        return made
    return _BUILT[term.kind](*operands)


def _sort(of: Sort) -> z3.SortRef:
    if isinstance(of, ArraySort):
        return z3.ArraySort(_sort(of.domain), _sort(of.range))
    return z3.IntSort() if of is INT else z3.BoolSort() if of is BOOL else z3.DeclareSort(of.name)


def of_z3(term: z3.ExprRef) -> Any:
    """The same term as this project has it.

    Raises ``KeyError`` for an operator that this project does not use.
    """
    done: dict[int, tuple[smt.Term, z3.ExprRef]] = {}

    def read(one: z3.ExprRef) -> smt.Term:
        if one.get_id() not in done:
            operands = [read(child) for child in one.children()]
            # Z3's term is kept beside its result: ids are unique only while terms live.
            done[one.get_id()] = _read(one, operands), one
        return done[one.get_id()][0]

    return read(term)


def _read(term: z3.ExprRef, operands: list[smt.Term]) -> smt.Term:
    kind = _FROM_Z3[term.decl().kind()]
    if isinstance(term, z3.IntNumRef):
        return smt.IntVal(term.as_long())
    if kind != operators.UNINTERPRETED:
        return smt.applied(kind, operands, _of_sort(term.sort()))
    if not operands:
        return smt.Const(term.decl().name(), _of_sort(term.sort()))
    function = smt.Function(term.decl().name(), *(one.sort for one in operands), _of_sort(term.sort()))
    found: smt.Term = function(*operands)
    return found


def _of_sort(of: z3.SortRef) -> Sort:
    if isinstance(of, z3.ArraySortRef):
        return array_sort(_of_sort(of.domain()), _of_sort(of.range()))
    return sort(of.name())
