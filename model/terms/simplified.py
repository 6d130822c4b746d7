"""Simplification of terms by Z3."""

from functools import reduce
from typing import cast

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import ground

YES, NO = smt.BoolVal(True), smt.BoolVal(False)
"""The truth values as terms."""

# SMT terms over finite lists: choices among numerals, numbers of true conditions, minima and maxima.
# A choice among numerals keeps products and divisions linear.


def finite(term: smt.IntTerm, low: int, high: int) -> smt.IntTerm:
    """Rewrite ``term`` as a choice among the numerals low .. high.

    The result equals ``term`` wherever low <= term <= high; the caller must ensure these bounds.
    """
    result = smt.IntVal(high)
    for value in range(high - 1, low - 1, -1):
        result = smt.If(term == value, smt.IntVal(value), result)
    return result


def how_many(conditions: list[smt.BoolTerm]) -> smt.IntTerm:
    """Return a term for the number of conditions that are true."""
    return smt.Sum([smt.If(condition, 1, 0) for condition in conditions]) if conditions else smt.IntVal(0)


def least(terms: list[smt.IntTerm]) -> smt.IntTerm:
    """Return a term for the smallest of the terms, of which there must be at least one."""
    return reduce(lambda x, y: smt.If(x <= y, x, y), terms)


def greatest(terms: list[smt.IntTerm]) -> smt.IntTerm:
    """Return a term for the largest of the terms, of which there must be at least one."""
    return reduce(lambda x, y: smt.If(x >= y, x, y), terms)


def simplify(term: smt.T, **options: bool) -> smt.T:
    """Return an equal, simpler term as found by Z3.

    It is a numeral or constant if the term has no unknowns.
    """
    if options:
        return _simplified(term, **options)
    if not hasattr(
        term, "simpler"
    ):  # Cached because code on unknown numbers produces the same conditions again and again.
        simple = _simplified(term)
        term.simpler = None if simple is term else simple
    return term if term.simpler is None else cast(smt.T, term.simpler)


def _simplified(term: smt.T, **options: bool) -> smt.T:
    value = ground(term)
    if value is None:
        # Z3 is loaded on first use, so commands that only import a client's model never load it.
        from rebalance_proofs.model.terms.z3_terms import simplify_by_z3

        return simplify_by_z3(term, **options)
    return cast(smt.T, smt.BoolVal(bool(value)) if isinstance(term, smt.BoolTerm) else smt.IntVal(value))
