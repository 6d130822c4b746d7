"""The Python values of Z3 terms without unknowns."""

from typing import cast

import z3


def number(term: z3.ExprRef) -> int:
    """The integer value of a term without unknowns."""
    return cast(z3.IntNumRef, z3.simplify(term)).as_long()


def truth(term: z3.BoolRef) -> bool:
    """The truth value of a term without unknowns."""
    return z3.is_true(z3.simplify(term))


def value(term: z3.ExprRef) -> int | bool:
    """The number or truth value of a term without unknowns."""
    return truth(term) if z3.is_bool(term) else number(term)
