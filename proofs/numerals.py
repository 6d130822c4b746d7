"""Python values of terms without unknowns."""

from typing import cast

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify


def number(term: smt.Term) -> int:
    """Return the integer value of a term without unknowns."""
    return cast(smt.Numeral, simplify(term)).number


def truth(term: smt.BoolTerm) -> bool:
    """Return the truth value of a term without unknowns."""
    return smt.is_true(simplify(term))


def value(term: smt.Term) -> int | bool:
    """Return the number or truth value of a term without unknowns."""
    return truth(term) if smt.is_bool(term) else number(term)
