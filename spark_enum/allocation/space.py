"""A space of groups: its size, and the group that a code names."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod

from rebalance_proofs.model.worlds.groups import Groups, Values


@dataclass(frozen=True)
class Configuration:
    """One group, given by its size and digits."""

    consumers: int
    queues: int
    values: Values


@dataclass(frozen=True)
class Space:
    """All groups of one world, with up to ``max_consumers`` consumers and ``max_queues`` queues.

    Codes 0 .. ``codes`` - 1 are decoded arithmetically: the size is found among the blocks, the digits by division. A
    few codes name no group (see ``Groups.admits``).
    """

    world: Groups
    max_consumers: int
    max_queues: int

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """(consumers, queues) of each block of codes, smallest first."""
        return tuple((n, q) for n in range(1, self.max_consumers + 1) for q in range(1, self.max_queues + 1))

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(prod(self.world.radices(n, q)) for n, q in self.sizes))

    @cached_property
    def _last_radices_first(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(self.world.radices(n, q))[::-1] for n, q in self.sizes)

    @property
    def codes(self) -> int:
        """The number of codes."""
        return self._ends[-1]

    @property
    def groups(self) -> int:
        """The number of groups, by the world's closed form."""
        return sum(self.world.groups(n, q) for n, q in self.sizes)

    def decode(self, code: int) -> Configuration | None:
        """The group that ``code`` names; None if it names none."""
        block = bisect_right(self._ends, code)
        n, q = self.sizes[block]
        rest = code - (self._ends[block - 1] if block else 0)
        digits = []
        for radix in self._last_radices_first[block]:
            rest, digit = divmod(rest, radix)
            digits.append(digit)
        values = tuple(digits[::-1])
        return Configuration(n, q, values) if self.world.admits(n, q, values) else None

    def __iter__(self) -> Iterator[Configuration]:
        """All groups, smallest first."""
        return (found for found in map(self.decode, range(self.codes)) if found is not None)
