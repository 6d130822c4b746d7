"""Formulas without remainders by unknowns, for the case that every dividend is already below its divisor."""

from typing import Any, TypeVar

import z3

__all__ = ["plain"]

Term = TypeVar("Term", bound=z3.ExprRef)


def plain(formula: z3.BoolRef) -> tuple[z3.BoolRef, list[z3.BoolRef]]:
    """The formula with x for each x mod y whose y is an unknown, and the conditions that 0 <= x < y.

    Together they imply the original formula. With numerals for all other divisors both are linear and exact.
    """
    needed: list[z3.BoolRef] = []
    done: dict[int, tuple[z3.ExprRef, Any]] = {}

    def rewritten(term: Term) -> Term:
        """The rewritten term, of the same sort."""
        key = term.get_id()
        if key not in done:  # the term is kept beside its result: ids are unique only while terms live
            done[key] = term, _rewritten(term)
        found: Term = done[key][1]
        return found

    def _rewritten(term: z3.ExprRef) -> Any:
        children = [rewritten(child) for child in term.children()]
        if term.decl().kind() == z3.Z3_OP_MOD and z3.is_const(children[1]) and not z3.is_int_value(children[1]):
            x, y = children
            needed.append(z3.And(0 <= x, x < y))
            return x
        if z3.is_and(term) or z3.is_or(term):
            return (z3.And if z3.is_and(term) else z3.Or)(children)
        return term.decl()(*children) if children else term

    return rewritten(formula), needed
