"""Sets of times, as intervals."""

from bisect import bisect_right
from collections.abc import Iterable

__all__ = ["Times", "clipped", "intersection", "union"]

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


def clipped(times: Times, at: int, until: int) -> Times:
    """What of these lies between two times; found by search, since there can be very many."""
    place = bisect_right(times, at, key=lambda one: one[1] - 1) if times else 0
    found: Times = []
    while place < len(times) and times[place][0] <= until:
        begin, end = max(times[place][0], at), min(times[place][1], until)
        if begin <= end:
            found.append((begin, end))
        place += 1
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
