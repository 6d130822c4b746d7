"""The code that a group ought to have: the inverse of ``Space.decode``, written independently."""

from math import prod

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.spark_enum.allocation.space import Configuration


class Places:
    """The codes of the groups of one world with up to ``max_queues`` queues; fewest consumers first."""

    def __init__(self, world: Groups, max_queues: int) -> None:
        self._premise = world
        self._max_queues = max_queues
        self._sizes: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}

    def number(self, group: Configuration) -> int:
        """The number of digit strings before the group's: those of smaller sizes, then those of its own size."""
        size = (group.consumers, group.queues)
        if size not in self._sizes:
            self._sizes[size] = self._before(*size), tuple(self._premise.radices(*size))
        before, radices = self._sizes[size]
        within = 0
        for digit, radix in zip(group.values, radices, strict=True):
            within = within * radix + digit
        return before + within

    def _before(self, n: int, q: int) -> int:
        """The number of digit strings of smaller sizes."""
        fewer = [(m, p) for m in range(1, n) for p in range(1, self._max_queues + 1)]
        return sum(prod(self._premise.radices(*size)) for size in [*fewer, *((n, p) for p in range(1, q))])
