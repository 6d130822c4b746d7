"""Interface of stores for an exploration's levels; see ``in_memory`` and ``files``."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

# Names of the check of an explored group and of its numbers, as in the JSON output.

EXPLORED = "explored"
"""Kind of check: a small group's states against pinned results, and bad states against claims."""
TRANSITIONS, LEVELS, SETTLED = "transitions", "levels", "settled"
"""Numbers in the finding about a group: transitions, levels, rounds or ticks until it settles.

The number of levels is the greatest distance from the initial state plus one. The last number is missing if it was not
requested, or if the group does not settle.
"""


# Keys of states: integers that divide the states into parts of about equal size.

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


# Totals of a level (the states at one distance from the initial state), and of several.

MODULUS = 1 << 64


@dataclass
class Level:
    """Totals of one level: the states that need the same number of moves."""

    number: int
    states: int = 0
    digest: int = 0
    """Digest of the level's states (``keys.digest``)."""
    wrong: dict[str, int] = field(default_factory=dict)
    """For each bad state (watch) that the level contains, by name: the least state of that kind."""
    often: dict[str, int] = field(default_factory=dict)
    """For each bad state (watch), by name: the number of states of that kind in the level."""
    counts: np.ndarray | None = None
    """By move, in how many states of the previous level it is possible; None if not counted."""

    def adds(self, other: "Level") -> None:
        """Add the totals of another part of the same level."""
        self.states += other.states
        self.digest = (self.digest + other.digest) % MODULUS
        for name, key in other.wrong.items():
            self.wrong[name] = min(key, self.wrong.get(name, key))
            self.often[name] = self.often.get(name, 0) + other.often[name]
        if other.counts is not None:
            self.counts = other.counts if self.counts is None else self.counts + other.counts


class Together:
    """Totals of all levels from the first one on, for a group with ``moves`` moves."""

    def __init__(self, moves: int) -> None:
        self.by_level: list[int] = []
        """Number of states of each level; an empty level is left out."""
        self.digest = 0
        self.counts = np.zeros(moves, dtype=np.int64)
        """By move, the number of states in which it is possible."""
        self.first: dict[str, tuple[int, int]] = {}
        """For each bad state (watch), by name: the first level with it, and the least such state."""
        self.often: dict[str, int] = {}
        """For each bad state (watch), by name: the number of such states."""

    def adds(self, level: Level) -> None:
        """Add the next level."""
        if level.states:
            self.by_level.append(level.states)
        self.digest = (self.digest + level.digest) % MODULUS
        if level.counts is not None:
            self.counts += level.counts
        for name, state in level.wrong.items():
            self.first.setdefault(name, (level.number, state))
            self.often[name] = self.often.get(name, 0) + level.often[name]


PIECE = 1 << 17
"""Default number of states that are expanded in one step."""


class Full(Exception):
    """Raised if a store has no room for a level; the earlier levels are unchanged."""


class Store(Protocol):
    """The levels of an exploration: keys divided into parts. A level is completed before the next.

    A ``part`` is the range of numbers of one or several consecutive parts.
    """

    order: Parted
    piece: int
    """Number of states that are expanded in one step."""

    def cut(self, keys: Keys) -> Iterator[tuple[range, Keys]]:
        """Yield sorted keys, divided into the store's consecutive parts, including empty parts."""

    def expanding(self, level: int) -> Iterable[range]:
        """Yield consecutive ranges of parts in which to expand a level; together, they are all parts."""

    def settling(self, level: int) -> Iterable[range]:
        """Yield ranges of parts in which a level's successors are to be deduplicated."""

    def level(self, level: int, part: range) -> Keys:
        """Return the sorted keys of a part of a level."""

    def keep(self, level: int, part: range, keys: Keys) -> None:
        """Store the sorted keys of a part of a level; no keys of that part may be stored yet."""

    def follow(self, level: int, part: range, states: np.ndarray) -> None:
        """Store successors (``states``) of a part of a level, in any order and with repetitions.

        The array is changed in place.
        """

    def followers(self, level: int, part: range) -> list[Keys]:
        """Return the successors of a level whose keys are in this part, in several arrays."""

    def unseen(self, part: range, keys: Keys) -> Keys:
        """Return those of the keys, all from one part, that no level contains yet."""

    def done(self, level: Level) -> None:
        """Mark the level as complete, after all of its parts are stored."""


def all_states(store: Store, many: int) -> np.ndarray:
    """Return all states of the first ``many`` levels."""
    return np.concatenate(
        [store.order.states(store.level(level, part)) for level in range(many) for part in store.expanding(level)]
    )
