"""Arrays of states for breadth-first searches, and sorted arrays of visited states.

A row is one state. Visited states are stored as keys: each row as one number.
"""

from collections.abc import Sequence

import numpy as np

Keys = np.ndarray
Rows = np.ndarray
"""An array with one state per row.

It is stored column by column, because operations work on columns.
"""


def picked(rows: Rows, places: np.ndarray) -> Rows:
    """Return a copy of the rows at the indexes ``places``.

    NumPy's own indexing would store it row by row.
    """
    return rows.T.take(places, axis=1).T


def joined(parts: Sequence[Rows]) -> Rows:
    """Concatenate arrays of rows."""
    return np.concatenate([rows.T for rows in parts], axis=1).T


def numbered(rows: np.ndarray, weights: np.ndarray) -> Keys:
    """Return each row as one number: the weighted sum of its columns.

    The sum is computed column by column, which is many times as fast as NumPy's product of integers.
    """
    numbers = np.zeros(len(rows), dtype=np.int64)
    for column, weight in zip(rows.T, weights.tolist(), strict=True):
        if weight:
            numbers += np.multiply(column, weight, dtype=np.int64)
    return numbers


def first(keys: Keys, seen: Keys) -> Keys:
    """Return the indexes of the keys that are not in the sorted array ``seen``.

    Equal keys are returned only once.
    """
    if not len(keys):
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(keys)
    found = keys[order]
    begins = np.flatnonzero(np.concatenate([[True], found[1:] != found[:-1]]))
    found, places = found[begins], np.minimum.reduceat(order, begins)
    if not len(seen):
        return np.sort(places)
    near = np.minimum(np.searchsorted(seen, found), len(seen) - 1)
    return np.sort(places[seen[near] != found])


def together(seen: Keys, keys: Keys) -> Keys:
    """Merge both arrays of keys into one sorted array.

    NumPy's own union hashes, which takes many times as long.
    """
    return np.sort(np.concatenate([seen, keys]), kind="stable")
