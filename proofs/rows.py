"""States as rows of numbers, and the numbers of those that were seen, in order, as breadth-first searches keep them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

__all__ = ["Keys", "Rows", "first", "joined", "numbered", "picked", "together"]

Keys = np.ndarray
Rows = np.ndarray
"""One state a row, column after column in memory: what is done to them is done to columns."""


def picked(rows: Rows, places: np.ndarray) -> Rows:
    """A copy of these rows. NumPy's own indexing would lay it out row after row."""
    return rows.T.take(places, axis=1).T


def joined(parts: Sequence[Rows], places: np.ndarray | None = None) -> Rows:
    """All rows of all of them; or of these rows those at ``places``, which are in order."""
    if places is not None:
        begins = np.cumsum([0, *map(len, parts)])
        cuts = np.searchsorted(places, begins)
        chosen = (places[begin:end] for begin, end in pairwise(cuts))
        parts = [picked(rows, of - begin) for rows, of, begin in zip(parts, chosen, begins, strict=False)]
    return np.concatenate([rows.T for rows in parts], axis=1).T


def numbered(rows: np.ndarray, weights: np.ndarray) -> Keys:
    """Each row as one number: the sum of its weighted columns, column by column, which is many times as fast as NumPy's
    product of whole numbers."""
    numbers = np.zeros(len(rows), dtype=np.int64)
    for column, weight in zip(rows.T, weights.tolist(), strict=True):
        if weight:
            numbers += column.astype(np.int64) * weight
    return numbers


def first(keys: Keys, seen: Keys) -> Keys:
    """The places of the keys that are new, each once; ``seen`` is in order."""
    found, places = np.unique(keys, return_index=True)
    if not len(seen):
        return np.sort(places)
    near = np.minimum(np.searchsorted(seen, found), len(seen) - 1)
    return np.sort(places[seen[near] != found])


def together(seen: Keys, keys: Keys) -> Keys:
    """In order. NumPy's own union hashes, which takes many times as long."""
    return np.sort(np.concatenate([seen, keys]), kind="stable")
