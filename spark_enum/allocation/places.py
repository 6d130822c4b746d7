"""Check that each number decodes to the right group, so that an enumeration is complete.

The decoder of numbers is compared with the definition of valid digits. A space is enumerated completely if three
conditions hold. The number of groups is that of the closed form, each group is greater than the one before it, and the
last group of a size is the greatest.
"""

from itertools import product

from rebalance_proofs.model.worlds.groups import Groups, Values
from rebalance_proofs.spark_enum.allocation.space import Configuration

Size = tuple[int, int]


class Places:
    """The order of the groups of one world (a set of groups with one property)."""

    def __init__(self, world: Groups) -> None:
        self._world = world
        self._radices: dict[Size, tuple[int, ...]] = {}
        self._tops: dict[Size, Values | None] = {}

    def right(self, before: Configuration | None, found: Configuration, after: Configuration | None) -> bool:
        """Return True if the group ``found`` is valid and in the correct order.

        It must be greater than the group before. The last group of a size must be the greatest of that size. ``before``
        and ``after`` are the groups with the adjacent numbers; None at an end of the space.
        """
        above = before is None or _place(before) < _place(found)
        last = after is None or _size(after) != _size(found)
        return above and self._exists(found) and (not last or found.values == self._top(_size(found)))

    def _exists(self, found: Configuration) -> bool:
        """Return True if the digits encode a group."""
        size = _size(found)
        if size not in self._radices:
            self._radices[size] = tuple(self._world.radices(*size))
        radices = self._radices[size]
        inside = len(found.values) == len(radices) and all(map(int.__gt__, radices, found.values))
        return inside and min(found.values, default=0) >= 0 and self._world.admits(*size, found.values)

    def _top(self, size: Size) -> Values | None:
        """Return the greatest digits that encode a group of that size; None if there is no group."""
        if size not in self._tops:
            downwards = product(*(range(radix - 1, -1, -1) for radix in self._world.radices(*size)))
            self._tops[size] = next((values for values in downwards if self._world.admits(*size, values)), None)
        return self._tops[size]


def _size(group: Configuration) -> Size:
    return group.consumers, group.queues


def _place(group: Configuration) -> tuple[Size, Values]:
    """Return a sort key: groups with ascending numbers have ascending keys."""
    return _size(group), group.values
