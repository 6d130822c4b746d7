"""A group explored: what was gone through, what was found on the way, and what of the faults it takes."""

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
"""States, of more than which it is not asked whether they settle, and which faults are needed: that takes several times
as long as all else. Nor is a group with fewer faults gone through any further: it can have more states than the few
levels that were asked for."""


class Levels(Protocol):
    """An exploration, level by level."""

    @property
    def product(self) -> Product:
        """What is explored."""

    @property
    def store(self) -> Store:
        """Where the levels are."""

    def levels(self, most: int | None = None) -> Iterable[Level]:
        """All of them, or so many; the last one of all has no states."""


@dataclass(frozen=True)
class Needs:
    """The faults that it takes."""

    faults: tuple[tuple[str, ...], ...]
    """Each enough, and none of them with fewer; one that is empty: it takes none."""
    fewer: int
    """All sets of fewer faults were tried, and their groups gone through to the end."""


@dataclass(frozen=True)
class Found:
    """Something that must not be, and was found."""

    watch: Watch
    states: int
    """So many."""
    steps: tuple[Step, ...]
    """A way of the fewest moves."""
    needs: Needs | None
    """None where it was not asked, or has too many states."""


@dataclass(frozen=True)
class Explored:
    """What was gone through."""

    subject: Subject
    settings: Settings
    product: Product
    whole: bool
    """It is all that there can be; otherwise the states of so many levels."""
    levels: tuple[int, ...]
    """States by level."""
    digest: int
    counts: Mapping[str, int]
    """By a move's name, from how many states it goes, of each consumer and queue."""
    found: tuple[Found, ...]
    never: tuple[Watch, ...]
    """What is so in none of these states."""
    settled: Settled | None
    """None where the model does not say what is right, or it was not asked."""

    @property
    def model(self) -> Model:
        """What was explored."""
        return self.product.model

    @property
    def states(self) -> int:
        """All of them."""
        return sum(self.levels)

    @property
    def transitions(self) -> int:
        """How often something can happen."""
        return sum(self.counts.values())

    @property
    def stuck(self) -> int | None:
        """From so many of them no move is possible; None where that is not watched."""
        found = {one.watch.name: one.states for one in self.found} | {watch.name: 0 for watch in self.never}
        return found.get(DEADLOCK.name)

    @property
    def idle(self) -> tuple[str, ...]:
        """Names of moves that never happened."""
        return tuple(name for name, count in self.counts.items() if not count)


def explore(
    subject: Subject,
    settings: Settings,
    exploration: Levels,
    most: int | None = None,
    settle: bool = True,
    told: Callable[[Level], None] = lambda level: None,
) -> Explored:
    """All of it, or ``most`` levels. ``told`` hears of each level; ``settle``: whether it settles is asked, if there
    are not too many states."""
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
    """Which of the faults that may happen it takes, with the other settings as they are: sets of the fewest. None where
    a group that has to be gone through for that has too many states."""
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
    """None where it is not reached in ``MANY`` states, and there are more."""
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
