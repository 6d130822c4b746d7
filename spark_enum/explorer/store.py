"""Where levels of states are kept: here in memory; ``files`` keeps them on disk."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted, missing
from rebalance_proofs.spark_enum.explorer.level import Level

__all__ = ["Full", "InMemory", "Part", "Store", "all_states"]

Part = int | range
"""The number of a part, or of several that are beside each other."""
PIECE = 1 << 17
"""States that are expanded at once."""


class Full(Exception):
    """A store has no room for a level; those before it are as they were."""


class Store(Protocol):
    """Levels of keys, in parts. A level is complete before the next one is begun."""

    order: Parted
    piece: int
    """States that are expanded at once."""

    def cut(self, keys: Keys) -> Iterator[tuple[Part, Keys]]:
        """Keys in order, by part, of which each is there."""

    def expanding(self, level: int) -> Iterable[Part]:
        """The parts of a level, as they are to be expanded: together they are all of it, in order."""

    def settling(self, level: int) -> Iterable[Part]:
        """The same of a level that is not there yet."""

    def level(self, level: int, part: Part) -> Keys:
        """In order."""

    def keep(self, level: int, part: Part, keys: Keys) -> None:
        """The part's keys of a level, in order: none was there before."""

    def follow(self, level: int, part: Part, number: int, keys: Keys) -> None:
        """What follows from a piece of a part of a level, in order."""

    def followers(self, level: int, part: Part) -> list[Keys]:
        """What follows from a level, of the keys of a part."""

    def unseen(self, part: Part, keys: Keys) -> Keys:
        """What of the keys of a part is in no level."""

    def done(self, level: Level) -> None:
        """All parts of the level are kept."""


class Runs:
    """Keys in a few arrays in order, each more than twice as long as the next."""

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


class InMemory:
    """A ``Store``; what is known is not kept as what follows."""

    def __init__(self, order: Parted, most: int | None = None, piece: int = PIECE) -> None:
        """``most`` is how many bytes its arrays may take together; where they are more, ``Full`` is raised."""
        self.order = order
        self.piece = piece
        self._most = most
        self._levels: list[list[Keys]] = []
        self._seen = [Runs() for _ in range(order.parts)]
        self._follow: list[list[Keys]] = [[] for _ in range(order.parts)]
        self._kept = self._found = 0

    def cut(self, keys: Keys) -> Iterator[tuple[int, Keys]]:
        return enumerate(np.split(keys, np.searchsorted(keys, self.order.ends)))

    def expanding(self, level: int) -> Iterable[int]:
        return range(self.order.parts)

    def settling(self, level: int) -> Iterable[int]:
        return range(self.order.parts)

    def level(self, level: int, part: int) -> Keys:
        return self._levels[level][part]

    def keep(self, level: int, part: int, keys: Keys) -> None:
        while len(self._levels) <= level:
            self._levels.append([np.zeros(0, dtype=self.order.dtype)] * self.order.parts)
        self._levels[level][part] = keys
        self._takes(kept=2 * keys.nbytes)
        if len(keys):
            self._seen[part].add(keys)

    def follow(self, level: int, part: int, number: int, keys: Keys) -> None:
        self._takes(found=keys.nbytes)
        for target, slice_ in self.cut(keys):
            if len(slice_):
                self._follow[target].append(slice_.copy())

    def followers(self, level: int, part: int) -> list[Keys]:
        found, self._follow[part] = self._follow[part], []
        self._found -= sum(keys.nbytes for keys in found)
        return found

    def unseen(self, part: int, keys: Keys) -> Keys:
        return self._seen[part].unseen(keys)

    def done(self, level: Level) -> None:
        pass

    def handed_over(self, levels: int) -> Iterator[Keys]:
        """So many levels, each in order; nothing stays here."""
        self._seen, self._follow = [], []
        for number in range(levels):
            parts, self._levels[number] = self._levels[number], []
            yield np.concatenate(parts)

    def _takes(self, kept: int = 0, found: int = 0) -> None:
        self._kept += kept
        self._found += found
        if self._most is not None and self._kept + self._found > self._most:
            raise Full


def all_states(store: Store, many: int) -> np.ndarray:
    """Of so many levels."""
    return np.concatenate(
        [store.order.states(store.level(level, part)) for level in range(many) for part in store.expanding(level)]
    )
