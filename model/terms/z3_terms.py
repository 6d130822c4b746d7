"""Conversion of terms to z3py's terms and back.

It is used for Z3 operations that work on terms instead of texts.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, cast

import z3

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.operators import BOOL, INT, ArraySort, Sort, array_sort, sort

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

Operation = Callable[..., z3.Ast]

# These are the library's own functions: z3py's take several times as long. The first takes its operands as a list.
_OF_MANY: Mapping[str, Operation] = {
    operators.ADD: z3.Z3_mk_add,
    operators.AND: z3.Z3_mk_and,
    operators.DISTINCT: z3.Z3_mk_distinct,
    operators.MUL: z3.Z3_mk_mul,
    operators.OR: z3.Z3_mk_or,
    operators.SUB: z3.Z3_mk_sub,
}
_OF_SO_MANY: Mapping[str, Operation] = {
    operators.EQ: z3.Z3_mk_eq,
    operators.FALSE: z3.Z3_mk_false,
    operators.GE: z3.Z3_mk_ge,
    operators.GT: z3.Z3_mk_gt,
    operators.IDIV: z3.Z3_mk_div,
    operators.IMPLIES: z3.Z3_mk_implies,
    operators.ITE: z3.Z3_mk_ite,
    operators.LE: z3.Z3_mk_le,
    operators.LT: z3.Z3_mk_lt,
    operators.MOD: z3.Z3_mk_mod,
    operators.NEG: z3.Z3_mk_unary_minus,
    operators.NOT: z3.Z3_mk_not,
    operators.SELECT: z3.Z3_mk_select,
    operators.STORE: z3.Z3_mk_store,
    operators.TRUE: z3.Z3_mk_true,
}


def simplify_by_z3(term: smt.T, **options: bool) -> smt.T:
    """Return an equal term as simplified by Z3.

    ``simplified.simplify`` calls this only for terms with unknowns.
    """
    return cast(smt.T, of_z3(z3.simplify(to_z3(term), **options)))


def to_z3(term: smt.Term) -> Any:
    """Return the same term in z3py's main context."""
    context = z3.main_ctx()
    library = context.ref()
    done: dict[int, z3.Ast] = {}
    try:
        for one in smt.subterms(term):
            made = _built(context, one, [done[id(child)] for child in one.children])
            z3.Z3_inc_ref(library, made)
            done[id(one)] = made
        return z3.z3._to_expr_ref(done[id(term)], context)
    finally:
        for made in done.values():
            z3.Z3_dec_ref(library, made)


_DROPPED: list[z3.Ast] = []
"""Z3's terms of which this project's no longer exist; released by the next call of ``in_solver``.

They are not released at once, because another thread than the solver's may drop a term.
"""


class _Held:
    """Holder of a Z3 term, in the solvers' context, that this project's term refers to."""

    __slots__ = ("ast",)

    def __init__(self, ast: z3.Ast) -> None:
        self.ast = ast

    def __del__(self, drop: Callable[[z3.Ast], None] = _DROPPED.append) -> None:
        drop(self.ast)


@cache
def solvers_context() -> z3.Context:
    """Return the context of all solvers.

    It is not z3py's main context: results of ``simplify_by_z3`` may depend on the terms that exist in a context.
    """
    return z3.Context()


def to_solver(term: smt.Term) -> Any:
    """Return the same term in the solvers' context, as a term of z3py."""
    return z3.z3._to_expr_ref(in_solver(term), solvers_context())


def in_solver(term: smt.Term) -> z3.Ast:
    """Return the same term in the solvers' context, as the library's own object.

    It exists as long as the term does, so each subterm is converted only once.
    """
    context = solvers_context()
    library = context.ref()
    while _DROPPED:
        z3.Z3_dec_ref(library, _DROPPED.pop())
    waiting = [term]
    while waiting:
        one = waiting[-1]
        if hasattr(one, "in_solver"):
            waiting.pop()
        elif fresh := [child for child in one.children if not hasattr(child, "in_solver")]:
            waiting += fresh
        else:
            made = _built(context, one, [child.in_solver.ast for child in one.children])
            z3.Z3_inc_ref(library, made)
            one.in_solver = _Held(made)
    return cast(z3.Ast, term.in_solver.ast)


def _built(context: z3.Context, term: smt.Term, operands: list[z3.Ast]) -> z3.Ast:
    library = context.ref()
    if term.kind in _OF_MANY:
        return _OF_MANY[term.kind](library, len(operands), (z3.Ast * len(operands))(*operands))
    if term.kind in _OF_SO_MANY:
        return _OF_SO_MANY[term.kind](library, *operands)
    if isinstance(term, smt.Numeral):
        return z3.Z3_mk_numeral(library, str(term.number), _sort(INT, context).ast)
    name = z3.Z3_mk_string_symbol(library, term.name)
    if not operands:
        return z3.Z3_mk_const(library, name, _sort(term.sort, context).ast)
    sorts = [_sort(one, context) for one in (*term.function.arguments, term.sort)]
    return z3.Z3_mk_app(library, z3.Function(term.name, *sorts).ast, len(operands), (z3.Ast * len(operands))(*operands))


@cache
def _sort(of: Sort, context: z3.Context) -> z3.SortRef:
    if isinstance(of, ArraySort):
        return z3.ArraySort(_sort(of.domain, context), _sort(of.range, context))
    return (
        z3.IntSort(context) if of is INT else z3.BoolSort(context) if of is BOOL else z3.DeclareSort(of.name, context)
    )


def of_z3(term: z3.ExprRef) -> Any:
    """Convert a z3py term to this project's term.

    Raises ``KeyError`` for an operator that this project does not use.
    """
    return _known(term, {})


def _known(term: z3.ExprRef, done: dict[int, tuple[smt.Term, z3.ExprRef]]) -> smt.Term:
    if term.get_id() not in done:
        operands = [_known(child, done) for child in term.children()]
        # Store Z3's term with its result: ids are unique only while terms exist.
        done[term.get_id()] = _read(term, operands), term
    return done[term.get_id()][0]


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
