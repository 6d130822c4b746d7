"""Levels of states in memory, with a mark for each number that a group can have: what is new has none yet."""

from collections.abc import Iterator

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys
from rebalance_proofs.spark_enum.explorer.level import Level
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.store import PIECE, Full

__all__ = ["MarkedInMemory"]

CACHED = 1 << 15
"""States that are expanded at once, at most: what follows from them fits into the processor's cache."""


class MarkedInMemory:
    """A ``Store`` of one part, whose keys are the states. Nothing is sorted but what is new."""

    def __init__(self, numbering: Numbering, most: int | None = None, piece: int = PIECE) -> None:
        """A mark is a byte. ``most`` is how many bytes all arrays may take together; where they are more, ``Full`` is
        raised."""
        self.order = numbering.as_they_are
        self.piece = min(piece, CACHED)
        self._most = most
        self._marks = np.zeros(numbering.numbers, dtype=bool)
        self._levels: list[Keys] = []
        self._follow: list[Keys] = []
        self.takes = self._marks.nbytes
        """Bytes of all arrays, and what it takes to sort some of them."""

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
        # where it follows from the next piece too, it is not new any more: repetitions are of one piece
        self._marks[fresh] = True
        self._follow.append(fresh)
        self.takes += 2 * fresh.nbytes  # it is copied when it is sorted
        if self._most is not None and self.takes > self._most:
            raise Full

    def followers(self, level: int, part: range) -> list[Keys]:
        found, self._follow = self._follow, []
        self.takes -= 2 * sum(keys.nbytes for keys in found)
        return found

    def unseen(self, part: range, keys: Keys) -> Keys:
        return keys  # what was seen did not follow

    def done(self, level: Level) -> None:
        pass

    def handed_over(self, levels: int) -> Iterator[Keys]:
        """So many levels, each in order; nothing stays here."""
        kept, self._levels, self._follow = self._levels[:levels], [], []
        self._marks = np.zeros(0, dtype=bool)
        self.takes = 0
        while kept:
            yield kept.pop(0)
