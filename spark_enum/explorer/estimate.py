"""How many states a group will have, by what it has with one queue and with two; and whether there is room for them."""

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

__all__ = ["Estimate", "estimated", "require_room"]

MOST = 400_000
"""States that are gone through for it."""
IN_MEMORY = 26
"""Bytes a state, about: twice its key, and what follows from a level."""
ON_DISK = 32
"""Bytes a state, about: its level, what is known, that once more while it is made anew, and what follows."""


@dataclass(frozen=True)
class Estimate:
    """About so many states."""

    states: int
    least: bool
    """Even two queues have more states than were gone through: there will be many more."""

    def __str__(self) -> str:
        return f"{'more than ' if self.least else ''}about {self.states:,} states"


def estimated(build: Callable[[int], Model], queues: int) -> Estimate | None:
    """For so many queues, as if each one more made as many times the states; None for one or two.

    ``build`` gives the model with a number of queues. Raises what it raises, and ``UsageError`` as ``Product`` does.
    """
    if queues < 3:
        return None
    first, whole = _states(Product(build(1)))
    second = first
    if whole:
        second, whole = _states(Product(build(2)))
    return Estimate(round(second * (second / first) ** (queues - 2)), not whole)


def require_room(estimate: Estimate | None, memory: int, folder: Path | None) -> None:
    """Raises ``UsageError`` where neither memory nor the disk has room for so many states."""
    if estimate is None or (folder is None and estimate.states * IN_MEMORY <= memory):
        return
    place = folder or Path(tempfile.gettempdir())
    free = shutil.disk_usage(next(one for one in (place, *place.absolute().parents) if one.exists())).free
    kept = sum(path.stat().st_size for path in place.glob("levels/*.npy")) if folder else 0
    if estimate.states * ON_DISK > free + kept:
        raise UsageError(
            f"{estimate} are expected, for which {_gb(estimate.states * ON_DISK)} are needed, and {str(place)!r} has "
            f"{_gb(free)}: explore a smaller group, name a folder with more room, or use --force"
        )


def _states(product: Product) -> tuple[int, bool]:
    """How many there are; or how many were met, and that there are more."""
    many = 0
    for level in levels(product, in_memory(product.numbering)):
        many += level.states
        if many > MOST:
            return many, False
    return many, True


def _gb(size: int) -> str:
    return f"{size / (1 << 30):,.1f} GiB"
