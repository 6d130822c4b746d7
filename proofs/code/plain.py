"""Removal of remainders by unknowns, for the case that every dividend is below its divisor."""

from typing import Any, TypeVar

from rebalance_proofs.model.terms import operators, smt

Term = TypeVar("Term", bound=smt.Term)


def plain(formula: smt.BoolTerm) -> tuple[smt.BoolTerm, list[smt.BoolTerm]]:
    """Replace x mod y by x wherever y is an unknown.

    Return the new formula and the conditions that 0 <= x < y. Together they imply the original formula. With numerals
    for all other divisors both are linear and exact.
    """
    needed: list[smt.BoolTerm] = []
    done: dict[smt.Term, Any] = {}

    def rewritten(term: Term) -> Term:
        """Return the term, of the same sort, with its remainders by unknowns replaced."""
        if term not in done:
            done[term] = _rewritten(term)
        found: Term = done[term]
        return found

    def _rewritten(term: smt.Term) -> Any:
        children = [rewritten(child) for child in term.children]
        if term.kind == operators.MOD and smt.is_const(children[1]) and not smt.is_int_value(children[1]):
            x, y = children
            needed.append(smt.And(0 <= x, x < y))
            return x
        return term.over(children)

    return rewritten(formula), needed
