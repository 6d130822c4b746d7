"""Values of terms without unknowns."""

from typing import cast

import z3


def number(term: z3.ExprRef) -> int:
    """The value of a term without unknowns."""
    return cast(z3.IntNumRef, z3.simplify(term)).as_long()


def truth(term: z3.BoolRef) -> bool:
    """The truth value of a term without unknowns."""
    return z3.is_true(z3.simplify(term))
