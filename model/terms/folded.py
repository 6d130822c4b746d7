"""Constant folding of terms that keeps the order of operands.

Z3's own simplification orders operands by the age of its terms, so a text would depend on the terms built before it.
"""

from typing import cast

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.smt import Numeral, Term
from rebalance_proofs.model.terms.values import applied


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
