"""Evaluation of terms without unknowns, by SMT-LIB's meaning of the operators."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, neg, not_, sub
from typing import Any, cast

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.operators import BOOL, INT
from rebalance_proofs.model.terms.smt import Numeral, Term, subterms

# Mutants: wrong encodings, each of which a named guarantee must reject.


@dataclass(frozen=True)
class Mutant:
    """A wrong encoding that a named guarantee must reject: its proof must fail.

    The failure is evidence that the guarantee's proof depends on the encoding.
    """

    name: str
    sentence: str
    encoding: Any
    """A wrong encoding, of the same type as the correct one."""
    breaks: str
    """The guarantee that must fail, or one of its claims.

    Examples: ``"disjoint"``, ``"disjoint.without-same-order"``.
    """


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


# Constant folding of terms that keeps the order of operands.
# Z3's own simplification orders operands by the age of its terms, so a text would depend on the terms built before
# it.


def folded(term: smt.T) -> smt.T:
    """Return an equal term whose subterms without unknowns are constants."""
    done: dict[Term, Term] = {}
    for one in smt.subterms(term):
        done[one] = _folded(one, [done[child] for child in one.children]) if one.children else one
    return cast(smt.T, done[term])


def _folded(term: Term, operands: list[Term]) -> Term:
    if all(isinstance(one, Numeral) or smt.is_true(one) or smt.is_false(one) for one in operands):
        value = applied(term, [one.number if isinstance(one, Numeral) else smt.is_true(one) for one in operands])
        if value is not None:
            return smt.BoolVal(bool(value)) if isinstance(term, smt.BoolTerm) else smt.IntVal(value)
    match term.kind:
        case operators.AND:
            return _junction(term, operands, neutral=smt.BoolVal(True), deciding=smt.BoolVal(False))
        case operators.OR:
            return _junction(term, operands, neutral=smt.BoolVal(False), deciding=smt.BoolVal(True))
        case operators.IMPLIES:
            given, then = operands
            if smt.is_true(given) or smt.is_true(then):
                return then
            if smt.is_false(given):
                return smt.BoolVal(True)
        case operators.ITE:
            condition, yes, no = operands
            if yes is no or smt.is_true(condition):
                return yes
            if smt.is_false(condition):
                return no
        case operators.EQ | operators.LE | operators.GE if operands[0] is operands[1]:
            return smt.BoolVal(True)
        case operators.DISTINCT | operators.LT | operators.GT if operands[0] is operands[1]:
            return smt.BoolVal(False)
        case operators.ADD:
            return _without(smt.IntVal(0), term, operands)
    return term.over(operands)


def _junction(term: Term, operands: list[Term], neutral: Term, deciding: Term) -> Term:
    return deciding if any(one is deciding for one in operands) else _without(neutral, term, operands)


def _without(neutral: Term, term: Term, operands: list[Term]) -> Term:
    """Return the operator of ``term`` applied to all operands except its neutral element."""
    left = [one for one in operands if one is not neutral]
    return left[0] if len(left) == 1 else term.over(left) if left else neutral
