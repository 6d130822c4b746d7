"""Interface of stores for an exploration's levels; see ``in_memory`` and ``files``."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted
from rebalance_proofs.spark_enum.explorer.level import Level

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
