"""Store of an exploration's levels in memory, with sorted arrays of the visited states."""

from collections.abc import Iterable, Iterator

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted, distinct, missing
from rebalance_proofs.spark_enum.explorer.level import Level
from rebalance_proofs.spark_enum.explorer.store import PIECE, Full


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
