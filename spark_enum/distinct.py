"""Groups of equal rows of integers, and digests that do not depend on the order of rows."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

_FACTORS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def distinct(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Group equal rows. Return the first index of each group, and for each row its group's number.

    Rows are grouped by a hash value, and then compared in full.
    """
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    varied = [column for column in columns if column.strides != (0,)]  # all rows of a broadcast constant are equal
    for column in varied:
        mixed *= np.uint64(_FACTORS[0])
        mixed += column.astype(np.int64, copy=False).view(np.uint64)
    _, first, kind = np.unique(mix(mixed), return_index=True, return_inverse=True)
    for column in varied:
        if (column != column[first][kind]).any():
            raise ArithmeticError("two different rows have the same hash value")
    return first, kind


def mix(values: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash of each value (SplitMix64)."""
    values = values.astype(np.uint64) + np.uint64(_FACTORS[0])
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_FACTORS[1])
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_FACTORS[2])
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed


def digest_of(found: object) -> int:
    """Return a 64-bit hash of the value's ``repr``, the same on every machine."""
    return int.from_bytes(blake2b(repr(found).encode(), digest_size=8).digest(), "big")


def digests_of(codes: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash for each case, from its number and the hash of its outcome."""
    return mix(mix(codes) + outcomes)


def added(digests: np.ndarray) -> int:
    """Return the digest of a set of cases from the digests of the single cases."""
    return int(np.add.reduce(digests, axis=None, dtype=np.uint64))
