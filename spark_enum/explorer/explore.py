"""The result of exploring a group: its states, the bad states found, and the faults they need."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Protocol

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.in_memory import in_memory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import DEADLOCK, Model, Watch
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.settled import Settled, settled
from rebalance_proofs.spark_enum.explorer.store import Level, Store, Together, all_states
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject
from rebalance_proofs.spark_enum.explorer.trace import Step, trace

# Estimate a group's number of states from smaller groups, and check for enough room.

MOST = 400_000
"""Largest number of states that an estimate explores."""
IN_MEMORY = 26
"""Approximate bytes of memory per state: its key twice, and the successors of a level."""
ON_DISK = 32
"""Approximate bytes of disk per state.

They are the level, the successors, and the visited set twice while it is rewritten.
"""


@dataclass(frozen=True)
class Estimate:
    """Approximate number of states of a group."""

    states: int
    least: bool
    """True if the exploration of two queues was stopped early, so that there are many more states."""

    def __str__(self) -> str:
        return f"{'more than ' if self.least else ''}about {self.states:,} states"


def estimated(build: Callable[[int], Model], queues: int) -> Estimate | None:
    """Return the estimate for a group with ``queues`` queues.

    It assumes that each further queue multiplies the states as the second queue does. None for one or two queues.
    ``build(queues)`` returns the model. Raises what ``build`` raises, and ``UsageError`` like ``Product``.
    """
    if queues < 3:
        return None
    first, whole = _states(Product(build(1)))
    second = first
    if whole:
        second, whole = _states(Product(build(2)))
    return Estimate(round(second * (second / first) ** (queues - 2)), not whole)


def require_room(estimate: Estimate | None, memory: int, folder: Path | None) -> None:
    """Raise ``UsageError`` if neither memory nor the disk has room for the estimated states."""
    if estimate is None or (folder is None and estimate.states * IN_MEMORY <= memory):
        return
    place = folder or Path(tempfile.gettempdir())
    free = shutil.disk_usage(next(one for one in (place, *place.absolute().parents) if one.exists())).free
    kept = sum(path.stat().st_size for path in place.glob("levels/*.npy")) if folder else 0
    if estimate.states * ON_DISK > free + kept:
        raise UsageError(
            f"{estimate} are expected, which need {_gb(estimate.states * ON_DISK)}, but {str(place)!r} has "
            f"{_gb(free)} free; explore a smaller group, name a folder with more room, or use --force"
        )


def _states(product: Product) -> tuple[int, bool]:
    """Explore a small group. Return the number of states, and True if these are all its states."""
    many = 0
    for level in levels(product, in_memory(product.numbering)):
        many += level.states
        if many > MOST:
            return many, False
    return many, True


def _gb(size: int) -> str:
    return f"{size / (1 << 30):,.1f} GiB"


MANY = 3_000_000
"""Largest number of states for which settling and necessary faults are examined.

The examination takes several times as long as the exploration. The number also limits explorations with fewer faults: a
group with fewer faults can have more states than the requested first levels of the group.
"""


class Levels(Protocol):
    """Interface of an exploration that proceeds level by level.

    A level contains the states that need the same number of moves.
    """

    @property
    def product(self) -> Product:
        """The explored product of the members and queues of a group."""

    @property
    def store(self) -> Store:
        """The store that holds the states of each level."""

    def levels(self, most: int | None = None) -> Iterable[Level]:
        """Yield all levels, or at most ``most``; if all are yielded, the last one has no states."""


@dataclass(frozen=True)
class Needs:
    """The faults that are necessary to reach a bad state."""

    faults: tuple[tuple[str, ...], ...]
    """Minimal sets of faults that suffice to reach the state.

    If no fault is necessary, the only set is empty.
    """
    fewer: int
    """Number of faults in each set: all smaller sets were tried, with complete explorations."""


@dataclass(frozen=True)
class Found:
    """A bad state (target predicate) that the exploration reached."""

    watch: Watch
    states: int
    """The number of states in which the predicate holds."""
    steps: tuple[Step, ...]
    """A shortest trace to a state in which the predicate holds."""
    needs: Needs | None
    """The necessary faults; None if not requested, or if there are too many states."""


@dataclass(frozen=True)
class Explored:
    """The result of an exploration."""

    subject: Subject
    settings: Settings
    product: Product
    whole: bool
    """True if all states were explored, False if only the first levels."""
    levels: tuple[int, ...]
    """The number of states in each level."""
    digest: int
    counts: Mapping[str, int]
    """How often each move is possible, by the move's name.

    Summed over states, consumers and queues.
    """
    found: tuple[Found, ...]
    never: tuple[Watch, ...]
    """Bad states (target predicates) that were not reached."""
    settled: Settled | None
    """Whether the group settles.

    None if the model does not define agreement, or if the check was not requested.
    """

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
        """Number of transitions: the possible moves of all states, summed."""
        return sum(self.counts.values())

    @property
    def stuck(self) -> int | None:
        """Number of states without a possible move; None if the model does not search for deadlocks."""
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
    """Explore all states of a model, or the first ``most`` levels.

    ``told`` is called with each level. With ``settle``, the result also says whether the group settles, if it does not
    have too many states.
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
    """Return the minimal sets of faults that suffice to reach the bad state named ``watch``.

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
    """Return True if the bad state named ``watch`` is reachable; None if that remains unknown.

    It remains unknown if the first ``MANY`` states do not include the bad state, and there are more.
    """
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
