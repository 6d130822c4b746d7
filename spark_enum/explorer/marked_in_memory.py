"""Store of levels in memory with a flag "visited" for each number that a state can have."""

from collections.abc import Iterator

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys
from rebalance_proofs.spark_enum.explorer.level import Level
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.store import PIECE, Full

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
