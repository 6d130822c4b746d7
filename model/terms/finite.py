"""Terms over finite lists: a choice among numerals, the number of true conditions, minimum and maximum.

A choice among numerals keeps products and divisions linear.
"""

from functools import reduce

import z3


def finite(term: z3.ArithRef, low: int, high: int) -> z3.ArithRef:
    """``term``, rewritten as a choice among the numerals low .. high.

    Equal to ``term`` wherever low <= term <= high; the caller has to ensure these bounds.
    """
    result = z3.IntVal(high)
    for value in range(high - 1, low - 1, -1):
        result = z3.If(term == value, z3.IntVal(value), result)
    return result


def how_many(conditions: list[z3.BoolRef]) -> z3.ArithRef:
    """The number of conditions that hold."""
    return z3.Sum([z3.If(condition, 1, 0) for condition in conditions]) if conditions else z3.IntVal(0)


def least(terms: list[z3.ArithRef]) -> z3.ArithRef:
    """The smallest of at least one term."""
    return reduce(lambda x, y: z3.If(x <= y, x, y), terms)


def greatest(terms: list[z3.ArithRef]) -> z3.ArithRef:
    """The largest of at least one term."""
    return reduce(lambda x, y: z3.If(x >= y, x, y), terms)
