"""SMT terms over finite lists.

They are choices among numerals, numbers of true conditions, minima and maxima. A choice among numerals keeps products
and divisions linear.
"""

from functools import reduce

from rebalance_proofs.model.terms import smt

# The truth values ``YES`` and ``NO`` as terms.

YES, NO = smt.BoolVal(True), smt.BoolVal(False)


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
