"""Evaluation of terms without unknowns, by SMT-LIB's meaning of the operators."""

import math
from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, neg, not_, sub
from typing import Any

from rebalance_proofs.model.terms import operators
from rebalance_proofs.model.terms.smt import Numeral, Term, subterms
from rebalance_proofs.model.terms.sorts import BOOL, INT

_STRICT: Mapping[str, Callable[..., int | bool | None]] = {
    operators.ADD: lambda *values: sum(values),
    operators.SUB: sub,
    operators.MUL: lambda *values: math.prod(values),
    operators.NEG: neg,
    operators.IDIV: lambda x, y: quotient(x, y) if y else None,
    operators.MOD: lambda x, y: x - y * quotient(x, y) if y else None,
    operators.NOT: not_,
    operators.IMPLIES: lambda given, then: then or not given,
    operators.EQ: eq,
    operators.DISTINCT: lambda *values: len(set(values)) == len(values),
    operators.LE: le,
    operators.LT: lt,
    operators.GE: ge,
    operators.GT: gt,
}
"""Operators whose result is known only if all operands are known."""


def ground(term: Term, model: Mapping[str, int] | None = None) -> int | bool | None:
    """Return the value of a term that does not depend on unknowns.

    None if it may depend on them. A conjunction, disjunction or choice has a value if the known operands determine it.
    A division by zero has no value. With a ``model``, integers and truth values are looked up in it by name; a missing
    one is 0 or false.
    """
    values: dict[int, Any] = {}
    for one in subterms(term):
        if model is not None and one.kind == operators.UNINTERPRETED and not one.children and one.sort in (INT, BOOL):
            number = model.get(one.name, 0)
            values[id(one)] = number if one.sort is INT else bool(number)
        else:
            values[id(one)] = applied(one, [values[id(child)] for child in one.children])
    found: int | bool | None = values[id(term)]
    return found


def applied(term: Term, operands: list[Any]) -> int | bool | None:
    """Return the result of the term's operator for these operand values.

    An operand value may be None; see ``ground``.
    """
    match term.kind:
        case operators.NUMERAL:
            return term.number if isinstance(term, Numeral) else None
        case operators.TRUE | operators.FALSE:
            return term.kind == operators.TRUE
        case operators.AND:
            return False if False in operands else None if None in operands else True
        case operators.OR:
            return True if True in operands else None if None in operands else False
        case operators.ITE:
            condition, then, otherwise = operands
            return None if condition is None else then if condition else otherwise
    if term.kind not in _STRICT or None in operands:
        return None
    return _STRICT[term.kind](*operands)


def quotient(x: int, y: int) -> int:
    """Return SMT-LIB's ``div`` for a divisor that is not 0: the remainder is never negative."""
    return x // y if y > 0 else -(x // -y)
