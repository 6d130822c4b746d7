"""Sets of times, as intervals."""

from collections.abc import Iterable

__all__ = ["Times", "intersection", "union"]

Times = list[tuple[int, int]]
"""Disjoint intervals in ms, in order."""


def intersection(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> Times:
    """What both have."""
    found: Times = []
    left, right = list(one), list(other)
    first = second = 0
    while first < len(left) and second < len(right):
        begin = max(left[first][0], right[second][0])
        end = min(left[first][1], right[second][1])
        if begin <= end:
            found.append((begin, end))
        if left[first][1] < right[second][1]:
            first += 1
        else:
            second += 1
    return found


def union(every: Iterable[tuple[int, int]]) -> Times:
    """What one of them has."""
    found: Times = []
    for begin, end in sorted(every):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found
