"""Sets of times, as sorted disjoint intervals."""

from bisect import bisect_right
from collections.abc import Iterable

Times = list[tuple[int, int]]
"""Sorted disjoint intervals in ms."""


def intersection(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> Times:
    """Return the times that are in both of two sets."""
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
    """Return the part of a set between the times ``at`` and ``until``.

    It uses binary search, because sets can be very large.
    """
    place = bisect_right(times, at, key=lambda one: one[1] - 1) if times else 0
    found: Times = []
    while place < len(times) and times[place][0] <= until:
        begin, end = max(times[place][0], at), min(times[place][1], until)
        if begin <= end:
            found.append((begin, end))
        place += 1
    return found


def union(every: Iterable[tuple[int, int]]) -> Times:
    """Return the times that are in at least one of the given intervals."""
    found: Times = []
    for begin, end in sorted(every):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found
