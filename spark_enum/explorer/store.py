"""Interface of the stores of levels; ``in_memory`` and ``files`` implement it."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted
from rebalance_proofs.spark_enum.explorer.level import Level

__all__ = ["PIECE", "Full", "Store", "all_states"]

PIECE = 1 << 17
"""Number of states that are expanded at once."""


class Full(Exception):
    """Raised if a store has no room for a level; the earlier levels are unchanged."""


class Store(Protocol):
    """Levels of keys, divided into parts. A level is complete before the next one begins.

    A ``part`` is the range of numbers of one or several consecutive parts.
    """

    order: Parted
    piece: int
    """Number of states that are expanded at once."""

    def cut(self, keys: Keys) -> Iterator[tuple[range, Keys]]:
        """Yield sorted keys, cut into consecutive parts, including empty parts."""

    def expanding(self, level: int) -> Iterable[range]:
        """Yield the parts in which a level is to be expanded: together all of it, in order."""

    def settling(self, level: int) -> Iterable[range]:
        """Yield the parts in which the successors for a new level are to be deduplicated."""

    def level(self, level: int, part: range) -> Keys:
        """Return the sorted keys of a part of a level."""

    def keep(self, level: int, part: range, keys: Keys) -> None:
        """Store the sorted keys of a part of a level; none of that part were stored before."""

    def follow(self, level: int, part: range, states: np.ndarray) -> None:
        """Store successors of a part of a level, in any order and with repetitions.

        The array is changed in place.
        """

    def followers(self, level: int, part: range) -> list[Keys]:
        """Return the successors of a level whose keys are in a part."""

    def unseen(self, part: range, keys: Keys) -> Keys:
        """Return the keys, all of one part, that are in no level."""

    def done(self, level: Level) -> None:
        """Mark the level as complete: all of its parts are stored."""


def all_states(store: Store, many: int) -> np.ndarray:
    """Return all states of the first ``many`` levels."""
    return np.concatenate(
        [store.order.states(store.level(level, part)) for level in range(many) for part in store.expanding(level)]
    )
