"""Estimate a group's number of states from smaller groups, and check for enough room."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.in_memory import in_memory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import Model
from rebalance_proofs.spark_enum.explorer.product import Product

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
