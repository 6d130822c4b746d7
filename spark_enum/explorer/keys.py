"""Keys of states: integers that divide the states into parts of about equal size."""

from dataclasses import dataclass

import numpy as np

Keys = np.ndarray
"""An array of keys, of type ``held_in``; sorted only where documented."""
ODD = 0x1E3779B97F4A7C15
"""Multiplier for hashing: the high bits of a product depend on all bits of the other factor."""
NONE = np.uint64(0x9E3779B97F4A7C15)
"""The only value whose digest would be 0; it is larger than any state."""
BLOCK = 1 << 15
"""Number of values that are summed in one step; they fit into the processor's cache."""
MIXED = 12
"""Largest number of hashed high bits, from which the part of a key is derived."""


@dataclass(frozen=True)
class Parted:
    """A bijection from states to keys, whose highest bits select the part of the store.

    States that differ only in their low bits are in the same part, next to each other. Such states often have common
    successors, so duplicates are found early. The keys do not depend on the number of parts.
    """

    bits: int
    """Number of bits of a state, and of a key."""
    low: int
    """Number of low bits that do not influence the part."""
    parts: int
    """Number of parts; a power of two."""

    def keys(self, states: np.ndarray) -> Keys:
        """Return the keys of the states, in the same order. The array ``states`` is changed in place."""
        mixed = min(MIXED, (self.bits - self.low) // 2)
        if mixed <= 0:
            return states
        between = self.bits - self.low - mixed
        size = 8 * states.itemsize
        # bits above those between have no place in the result, and are not mixed with themselves: 32 bits give the same
        # as 64
        factor = (ODD << (size - between)) % (1 << size)
        other = states >> self.low
        other *= states.dtype.type(factor - ((factor >> (size - 1)) << size))
        other >>= size - self.bits
        other &= ((1 << mixed) - 1) << (self.bits - mixed)
        states ^= other
        return states

    def states(self, keys: Keys) -> np.ndarray:
        """Return the states of the keys, in the same order."""
        return self.keys(keys.copy())

    @property
    def ends(self) -> Keys:
        """Return the first key after each part, except for the last part."""
        return np.arange(1, self.parts, dtype=self.dtype) << (self.bits - (self.parts.bit_length() - 1))

    @property
    def dtype(self) -> np.dtype:
        """NumPy type of keys and states."""
        return held_in(self.bits)


def held_in(bits: int) -> np.dtype:
    """Return the NumPy type for numbers of this many bits: int32 if they fit, else int64."""
    return np.dtype(np.int32 if bits < 32 else np.int64)


def distinct(keys: Keys) -> Keys:
    """Return the distinct keys, sorted. The array ``keys`` is sorted in place."""
    keys.sort()
    if len(keys) < 2:
        return keys
    other = np.empty(len(keys), dtype=bool)
    other[0] = True
    np.not_equal(keys[1:], keys[:-1], out=other[1:])
    return keys[other]


def missing(keys: Keys, seen: Keys) -> np.ndarray:
    """Return for each key whether it is absent from ``seen``; both arrays must be sorted."""
    if not len(seen):
        return np.ones(len(keys), dtype=bool)
    at = np.searchsorted(seen, keys)
    np.minimum(at, len(seen) - 1, out=at)
    found: np.ndarray = seen[at] != keys
    return found


def digest(states: np.ndarray) -> int:
    """Return a 64-bit digest of a set of states, independent of their order.

    Digests of disjoint sets add up.
    """
    total = 0
    for begin in range(0, len(states), BLOCK):
        total += int(mixed(states[begin : begin + BLOCK]).sum(dtype=np.uint64))
    return total % (1 << 64)


def mixed(states: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash of each state. The digest of a set is the sum of these hashes."""
    found = states.astype(np.uint64)
    found ^= NONE
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found ^= found >> np.uint64(shift)
        found *= np.uint64(factor)
    found ^= found >> np.uint64(31)
    return found
