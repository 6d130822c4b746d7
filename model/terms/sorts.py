"""Sorts of terms: integers, truth values, uninterpreted sorts, and arrays."""

from dataclasses import dataclass
from functools import cache


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
