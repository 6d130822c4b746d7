"""Where levels of states are kept: ``in_memory`` and ``files`` do."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted
from rebalance_proofs.spark_enum.explorer.level import Level

__all__ = ["PIECE", "Full", "Store", "all_states"]

PIECE = 1 << 17
"""States that are expanded at once."""


class Full(Exception):
    """A store has no room for a level; those before it are as they were."""


class Store(Protocol):
    """Levels of keys, in parts. A level is complete before the next one is begun.

    A ``part`` is the numbers of one or several that are beside each other.
    """

    order: Parted
    piece: int
    """States that are expanded at once."""

    def cut(self, keys: Keys) -> Iterator[tuple[range, Keys]]:
        """Keys in order, by part, of which each is there."""

    def expanding(self, level: int) -> Iterable[range]:
        """The parts of a level, as they are to be expanded: together they are all of it, in order."""

    def settling(self, level: int) -> Iterable[range]:
        """The same of a level that is not there yet."""

    def level(self, level: int, part: range) -> Keys:
        """In order."""

    def keep(self, level: int, part: range, keys: Keys) -> None:
        """The part's keys of a level, in order: none was there before."""

    def follow(self, level: int, part: range, states: np.ndarray) -> None:
        """What follows from a piece of a part of a level, in any order and with repetitions. It is changed in place."""

    def followers(self, level: int, part: range) -> list[Keys]:
        """What follows from a level, of the keys of a part."""

    def unseen(self, part: range, keys: Keys) -> Keys:
        """What of the keys of a part is in no level."""

    def done(self, level: Level) -> None:
        """All parts of the level are kept."""


def all_states(store: Store, many: int) -> np.ndarray:
    """Of so many levels."""
    return np.concatenate(
        [store.order.states(store.level(level, part)) for level in range(many) for part in store.expanding(level)]
    )
