"""Result of exploring a group: its states, target predicates that hold, and necessary faults."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Protocol

import numpy as np

from rebalance_proofs.spark_enum.explorer.in_memory import in_memory
from rebalance_proofs.spark_enum.explorer.level import Level, Together
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import DEADLOCK, Model, Watch
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.settled import Settled, settled
from rebalance_proofs.spark_enum.explorer.store import Store, all_states
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject
from rebalance_proofs.spark_enum.explorer.trace import Step, trace

__all__ = ["Explored", "Found", "Levels", "Needs", "explore"]

MANY = 3_000_000
"""Largest number of states for which settling and necessary faults are examined.

The examination takes several times as long as the exploration. The number also limits the groups with fewer faults,
which can have more states than the few requested levels.
"""


class Levels(Protocol):
    """Interface of an exploration, level by level."""

    @property
    def product(self) -> Product:
        """The explored product."""

    @property
    def store(self) -> Store:
        """The store of the levels."""

    def levels(self, most: int | None = None) -> Iterable[Level]:
        """Yield all levels, or at most ``most``; the last one of all has no states."""


@dataclass(frozen=True)
class Needs:
    """Faults that are necessary to reach a state."""

    faults: tuple[tuple[str, ...], ...]
    """Minimal sufficient sets of faults; a single empty one if no fault is necessary."""
    fewer: int
    """Size of the sets: all sets with fewer faults were tried, with complete explorations."""


@dataclass(frozen=True)
class Found:
    """A target predicate that holds in some state."""

    watch: Watch
    states: int
    """The number of states where it holds."""
    steps: tuple[Step, ...]
    """A shortest trace to a state where it holds."""
    needs: Needs | None
    """The necessary faults; None if not requested, or if there are too many states."""


@dataclass(frozen=True)
class Explored:
    """The result of an exploration."""

    subject: Subject
    settings: Settings
    product: Product
    whole: bool
    """Whether all states were explored, not only the first levels."""
    levels: tuple[int, ...]
    """The number of states, by level."""
    digest: int
    counts: Mapping[str, int]
    """By name of a move, the number of its occurrences, summed over states, consumers and queues."""
    found: tuple[Found, ...]
    never: tuple[Watch, ...]
    """Target predicates that hold in none of these states."""
    settled: Settled | None
    """Whether the group settles; None if the model does not define agreement, or if not requested."""

    @property
    def model(self) -> Model:
        """The explored model."""
        return self.product.model

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(self.levels)

    @property
    def transitions(self) -> int:
        """Number of edges: of possible moves in all states."""
        return sum(self.counts.values())

    @property
    def stuck(self) -> int | None:
        """Number of states without a possible move; None if that is not watched."""
        found = {one.watch.name: one.states for one in self.found} | {watch.name: 0 for watch in self.never}
        return found.get(DEADLOCK.name)

    @property
    def idle(self) -> tuple[str, ...]:
        """Names of moves that are never possible."""
        return tuple(name for name, count in self.counts.items() if not count)


def explore(
    subject: Subject,
    settings: Settings,
    exploration: Levels,
    most: int | None = None,
    settle: bool = True,
    told: Callable[[Level], None] = lambda level: None,
) -> Explored:
    """Explore all states, or ``most`` levels.

    ``told`` is called with each level. With ``settle``, the result also says whether the group settles, if there are
    not too many states.
    """
    product = exploration.product
    gone = Together(len(product.moves))
    for level in exploration.levels(most):
        told(level)
        gone.adds(level)
    whole, few = not level.states, sum(gone.by_level) <= MANY
    watches = {watch.name: watch for watch in product.model.watches}
    found = tuple(
        Found(
            watches[name],
            gone.often[name],
            tuple(trace(product, exploration.store, *place)),
            needs(subject, settings, name) if few else None,
        )
        for name, place in sorted(gone.first.items(), key=lambda item: item[1])
    )
    asks = settle and whole and product.model.right is not None and few
    return Explored(
        subject,
        settings,
        product,
        whole,
        tuple(gone.by_level),
        gone.digest,
        _by_name(product, gone.counts),
        found,
        tuple(watch for name, watch in watches.items() if name not in gone.first),
        settled(product, lambda: all_states(exploration.store, len(gone.by_level))) if asks else None,
    )


def needs(subject: Subject, settings: Settings, watch: str) -> Needs | None:
    """Return the minimal sets of faults that suffice to reach the named target predicate.

    None if a group that must be explored for that has too many states.
    """
    for many in range(len(settings.faults)):
        enough = []
        for faults in combinations(settings.faults, many):
            reached = _is_reached(subject, replace(settings, faults=faults), watch)
            if reached is None:
                return None
            if reached:
                enough.append(faults)
        if enough:
            return Needs(tuple(enough), many)
    return Needs((settings.faults,), len(settings.faults))


def _is_reached(subject: Subject, settings: Settings, watch: str) -> bool | None:
    """Check whether the target predicate is reached; None if not within ``MANY`` of more states."""
    product = Product(subject.build(settings))
    store = in_memory(product.numbering)
    seen = 0
    for level in levels(product, store):
        if watch in level.wrong:
            return True
        seen += level.states
        if seen > MANY:
            return None
    return False


def _by_name(product: Product, counts: np.ndarray) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for move, count in zip(product.moves, counts.tolist(), strict=True):
        found[move.name] = found.get(move.name, 0) + count
    return found
