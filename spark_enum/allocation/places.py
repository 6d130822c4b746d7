"""Whether groups are at their places: what decodes numbers is checked by what says which digits name a group.

A space is gone through whole if as many groups as the closed form says stand one above the other, and none stands above
the last of a size.
"""

from itertools import product

from rebalance_proofs.model.worlds.groups import Groups, Values
from rebalance_proofs.spark_enum.allocation.space import Configuration

Size = tuple[int, int]


class Places:
    """The order of the groups of one world."""

    def __init__(self, world: Groups) -> None:
        self._world = world
        self._radices: dict[Size, tuple[int, ...]] = {}
        self._tops: dict[Size, Values | None] = {}

    def right(self, before: Configuration | None, found: Configuration, after: Configuration | None) -> bool:
        """Whether a group exists, stands above the one before it, and is the highest of its size if another follows.

        ``before`` and ``after`` are the groups with the numbers around its own; None at an end of the space.
        """
        above = before is None or _place(before) < _place(found)
        last = after is None or _size(after) != _size(found)
        return above and self._exists(found) and (not last or found.values == self._top(_size(found)))

    def _exists(self, found: Configuration) -> bool:
        """Whether the digits name a group."""
        size = _size(found)
        if size not in self._radices:
            self._radices[size] = tuple(self._world.radices(*size))
        radices = self._radices[size]
        inside = len(found.values) == len(radices) and all(map(int.__gt__, radices, found.values))
        return inside and min(found.values, default=0) >= 0 and self._world.admits(*size, found.values)

    def _top(self, size: Size) -> Values | None:
        """The highest digits that name a group of that size."""
        if size not in self._tops:
            downwards = product(*(range(radix - 1, -1, -1) for radix in self._world.radices(*size)))
            self._tops[size] = next((values for values in downwards if self._world.admits(*size, values)), None)
        return self._tops[size]


def _size(group: Configuration) -> Size:
    return group.consumers, group.queues


def _place(group: Configuration) -> tuple[Size, Values]:
    """Groups in the order of their numbers are in the order of these."""
    return _size(group), group.values
