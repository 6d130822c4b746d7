"""Stores of an exploration's levels in memory.

Small groups have a flag "visited" for each possible state; larger ones have sorted arrays of visited states.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from rebalance_proofs.spark_enum.explorer.closure import Numbering
from rebalance_proofs.spark_enum.explorer.store import PIECE, Full, Keys, Level, Parted, distinct, missing

# Store of an exploration's levels in memory, with sorted arrays of the visited states.


class Runs:
    """The visited keys in a few sorted arrays, each more than twice as long as the next."""

    def __init__(self) -> None:
        self.arrays: list[Keys] = []

    def add(self, keys: Keys) -> None:
        while self.arrays and len(self.arrays[-1]) <= 2 * len(keys):
            keys = np.concatenate([self.arrays.pop(), keys])
            keys.sort()
        self.arrays.append(keys)

    def unseen(self, keys: Keys) -> Keys:
        for seen in self.arrays:
            keys = keys[missing(keys, seen)]
        return keys


class SortedInMemory:
    """A ``Store`` that collects a level's successors in memory until they are deduplicated.

    The collected successors include visited states.
    """

    def __init__(self, order: Parted, most: int | None = None, piece: int = PIECE) -> None:
        """Create the store; it raises ``Full`` above ``most`` bytes for all arrays."""
        self.order = order
        self.piece = piece
        self._most = most
        self._levels: list[list[Keys]] = []
        self._seen = [Runs() for _ in range(order.parts)]
        self._follow: list[list[Keys]] = [[] for _ in range(order.parts)]
        self._kept = self._found = 0

    def cut(self, keys: Keys) -> Iterator[tuple[range, Keys]]:
        return zip(self._parts(), np.split(keys, np.searchsorted(keys, self.order.ends)), strict=True)

    def expanding(self, level: int) -> Iterable[range]:
        return self._parts()

    def settling(self, level: int) -> Iterable[range]:
        return self._parts()

    def level(self, level: int, part: range) -> Keys:
        return self._levels[level][part.start]

    def keep(self, level: int, part: range, keys: Keys) -> None:
        while len(self._levels) <= level:
            self._levels.append([np.zeros(0, dtype=self.order.dtype)] * self.order.parts)
        self._levels[level][part.start] = keys
        self._takes(kept=2 * keys.nbytes)
        if len(keys):
            self._seen[part.start].add(keys)

    def follow(self, level: int, part: range, states: np.ndarray) -> None:
        keys = distinct(self.order.keys(states))
        self._takes(found=keys.nbytes)
        for target, slice_ in self.cut(keys):
            if len(slice_):
                self._follow[target.start].append(slice_.copy())

    def followers(self, level: int, part: range) -> list[Keys]:
        found, self._follow[part.start] = self._follow[part.start], []
        self._found -= sum(keys.nbytes for keys in found)
        return found

    def unseen(self, part: range, keys: Keys) -> Keys:
        return self._seen[part.start].unseen(keys)

    def done(self, level: Level) -> None:
        pass

    def handed_over(self, levels: int) -> Iterator[Keys]:
        """Yield the keys of the first ``levels`` levels, each sorted; the store is empty afterwards."""
        self._seen, self._follow = [], []
        for number in range(levels):
            parts, self._levels[number] = self._levels[number], []
            yield np.concatenate(parts)

    def _parts(self) -> Iterator[range]:
        """Yield each part as a range of its own."""
        return (range(part, part + 1) for part in range(self.order.parts))

    def _takes(self, kept: int = 0, found: int = 0) -> None:
        self._kept += kept
        self._found += found
        if self._most is not None and self._kept + self._found > self._most:
            raise Full


# Store of levels in memory with a flag "visited" for each number that a state can have.

CACHED = 1 << 15
"""Largest number of states that are expanded in one step.

Their successors then fit into the processor's cache.
"""


class MarkedInMemory:
    """A ``Store`` with a single part, whose keys are the states. Only new states are sorted."""

    def __init__(self, numbering: Numbering, most: int | None = None, piece: int = PIECE) -> None:
        """Allocate the flags, one byte each; raise ``Full`` above ``most`` bytes for all arrays."""
        self.order = numbering.as_they_are
        self.piece = min(piece, CACHED)
        self._most = most
        self._marks = np.zeros(numbering.numbers, dtype=bool)
        self._levels: list[Keys] = []
        self._follow: list[Keys] = []
        self.takes = self._marks.nbytes
        """Bytes of all arrays, including those that sorting needs."""

    def cut(self, keys: Keys) -> Iterator[tuple[range, Keys]]:
        yield range(1), keys

    def expanding(self, level: int) -> Iterator[range]:
        yield range(1)

    def settling(self, level: int) -> Iterator[range]:
        yield range(1)

    def level(self, level: int, part: range) -> Keys:
        return self._levels[level]

    def keep(self, level: int, part: range, keys: Keys) -> None:
        self._marks[keys] = True
        self._levels.append(keys)
        self.takes += keys.nbytes

    def follow(self, level: int, part: range, states: np.ndarray) -> None:
        fresh = states[~self._marks.take(states)]
        # flagged now, so that later pieces do not report it again: repetitions occur within one piece only
        self._marks[fresh] = True
        self._follow.append(fresh)
        self.takes += 2 * fresh.nbytes  # sorting makes a copy
        if self._most is not None and self.takes > self._most:
            raise Full

    def followers(self, level: int, part: range) -> list[Keys]:
        found, self._follow = self._follow, []
        self.takes -= 2 * sum(keys.nbytes for keys in found)
        return found

    def unseen(self, part: range, keys: Keys) -> Keys:
        return keys  # states that were visited before are not among the successors

    def done(self, level: Level) -> None:
        pass

    def handed_over(self, levels: int) -> Iterator[Keys]:
        """Yield the states of the first ``levels`` levels, each sorted; the store is empty afterwards."""
        kept, self._levels, self._follow = self._levels[:levels], [], []
        self._marks = np.zeros(0, dtype=bool)
        self.takes = 0
        while kept:
            yield kept.pop(0)


InMemory = MarkedInMemory | SortedInMemory
MARKS = 1 << 28
"""Largest number of flags "visited", one byte each, if there is no memory limit."""
PARTS = 8
"""Number of parts of a store with sorted arrays.

More parts mean shorter arrays, which are processed one after the other.
"""


def in_memory(numbering: Numbering, most: int | None = None, piece: int = PIECE) -> InMemory:
    """Return a store in memory; it raises ``Full`` if it needs more than ``most`` bytes.

    Flags "visited" may use half of that.
    """
    if numbering.numbers <= (MARKS if most is None else most // 2):
        return MarkedInMemory(numbering, most, piece)
    return SortedInMemory(numbering.order(PARTS), most, piece)
