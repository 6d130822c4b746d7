"""Names of the operators of SMT terms (``Term.kind``).

A name is the operator's SMT-LIB symbol, except where a symbol has two meanings.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

# Sorts of terms: integers, truth values, uninterpreted sorts, and arrays.


@dataclass(frozen=True, eq=False)
class Sort:
    """A sort. Two sorts are the same only if they are the same object."""

    name: str


@dataclass(frozen=True, eq=False)
class ArraySort(Sort):
    """The sort of arrays from one sort to another."""

    domain: Sort
    range: Sort


@cache
def sort(name: str) -> Sort:
    """Return the sort of that name, uninterpreted unless it is ``Int`` or ``Bool``."""
    return Sort(name)


@cache
def array_sort(domain: Sort, range: Sort) -> ArraySort:
    """Return the sort of arrays from one sort to another."""
    return ArraySort(f"(Array {domain.name} {range.name})", domain, range)


INT, BOOL = sort("Int"), sort("Bool")


ADD: Final = "+"
AND: Final = "and"
DISTINCT: Final = "distinct"
EQ: Final = "="
FALSE: Final = "false"
GE: Final = ">="
GT: Final = ">"
IDIV: Final = "div"
IMPLIES: Final = "=>"
ITE: Final = "ite"
LE: Final = "<="
LT: Final = "<"
MOD: Final = "mod"
MUL: Final = "*"
NOT: Final = "not"
OR: Final = "or"
SELECT: Final = "select"
STORE: Final = "store"
SUB: Final = "-"
TRUE: Final = "true"
NEG: Final = "negation"
"""Negation of a number, which SMT-LIB writes as a minus sign with one argument."""
NUMERAL: Final = "numeral"
UNINTERPRETED: Final = "uninterpreted"
"""An unknown, or an application of an unknown function."""
