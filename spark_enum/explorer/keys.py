"""States as keys: in parts that are about as large as each other."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Keys", "Parted", "digest", "distinct", "held_in", "missing", "mixed"]

Keys = np.ndarray
"""Numbers (``held_in``), in order where it is so said."""
ODD = 0x1E3779B97F4A7C15
"""The high bits of its multiples depend on all of the other factor."""
NONE = np.uint64(0x9E3779B97F4A7C15)
"""What comes to nothing in a digest: no state is so great."""
BLOCK = 1 << 15
"""Numbers that are added up at once: they fit into the processor's cache."""
MIXED = 12
"""The highest bits of a key, of which a part is some, at most."""


@dataclass(frozen=True)
class Parted:
    """A key is a state whose highest bits are mixed with others, one to one: the first of them say which part it is in.

    States that are the same but for their low bits are in one part, and beside each other: what follows from some of
    them follows from others too, and is found to be the same while it is at hand. How many parts there are makes no
    difference to the keys.
    """

    bits: int
    """Of a state, and of a key."""
    low: int
    """Bits that say nothing of the part."""
    parts: int
    """A power of two."""

    def keys(self, states: np.ndarray) -> Keys:
        """In the order of the states. They are changed in place."""
        mixed = min(MIXED, (self.bits - self.low) // 2)
        if mixed <= 0:
            return states
        between = self.bits - self.low - mixed
        size = 8 * states.itemsize
        # what is above of what is between has no place in so many bits, and is not mixed with itself: it comes to the
        # same in 32 bits as in 64
        factor = (ODD << (size - between)) % (1 << size)
        other = states >> self.low
        other *= states.dtype.type(factor - ((factor >> (size - 1)) << size))
        other >>= size - self.bits
        other &= ((1 << mixed) - 1) << (self.bits - mixed)
        states ^= other
        return states

    def states(self, keys: Keys) -> np.ndarray:
        """In the order of the keys."""
        return self.keys(keys.copy())

    @property
    def ends(self) -> Keys:
        """Where each part but the last ends."""
        return np.arange(1, self.parts, dtype=self.dtype) << (self.bits - (self.parts.bit_length() - 1))

    @property
    def dtype(self) -> np.dtype:
        """Of keys and states."""
        return held_in(self.bits)


def held_in(bits: int) -> np.dtype:
    """int32, if that has numbers of so many bits, and else int64."""
    return np.dtype(np.int32 if bits < 32 else np.int64)


def distinct(keys: Keys) -> Keys:
    """In order, each once. ``keys`` is sorted in place."""
    keys.sort()
    if len(keys) < 2:
        return keys
    other = np.empty(len(keys), dtype=bool)
    other[0] = True
    np.not_equal(keys[1:], keys[:-1], out=other[1:])
    return keys[other]


def missing(keys: Keys, seen: Keys) -> np.ndarray:
    """By key, whether it is not among ``seen``; both are in order."""
    if not len(seen):
        return np.ones(len(keys), dtype=bool)
    at = np.searchsorted(seen, keys)
    np.minimum(at, len(seen) - 1, out=at)
    found: np.ndarray = seen[at] != keys
    return found


def digest(states: np.ndarray) -> int:
    """64 bits of a set of states, whatever its order: those of two sets without a common state add up."""
    total = 0
    for begin in range(0, len(states), BLOCK):
        total += int(mixed(states[begin : begin + BLOCK]).sum(dtype=np.uint64))
    return total % (1 << 64)


def mixed(states: np.ndarray) -> np.ndarray:
    """64 bits of each, which add up to the digest of all."""
    found = states.astype(np.uint64)
    found ^= NONE
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found ^= found >> np.uint64(shift)
        found *= np.uint64(factor)
    found ^= found >> np.uint64(31)
    return found
