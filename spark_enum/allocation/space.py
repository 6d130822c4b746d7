"""A numbered set of groups (a space): its size, and the group with a given number."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from rebalance_proofs.model.worlds.groups import Groups, Values

# Names of the comparisons and counters of allocation enumerations, as in the JSON output.

GROUPS, JOINS, SIZES, SMALLEST = "groups", "joins", "sizes", "smallest"
"""Kinds of comparisons.

In this order: concrete results of each group with the formulas, and all guarantees on these results; counted queues
that change owner in each join with the proved closed form; solver with concrete code at each size; smallest
counterexamples of the solver and of the enumeration.
"""

BEYOND, UNATTAINED = "beyond", "unattained"
"""Violations of a proved bound on the queues that a join moves.

``BEYOND``: a join moves more queues. ``UNATTAINED``: all joins of a size move fewer.
"""

SOLVER, ENUMERATOR = "solver", "enumerator"
"""The two sources of a smallest counterexample."""

RESULTS, POSITIONS, NUMBER_SUM, AT_PLACE = "results", "positions", "number_sum", "at_place"
"""Counters of enumerations.

In this order: results of single consumers; queue positions at which concrete result and formula were compared; sum of
all group numbers; groups that are at their correct number (see ``places.Places``).
"""

QUEUES = "queues"
"""Counter of joins: queues that were examined."""

SOLVER_TIME = "solver_us"
"""Counter of the solver's time in microseconds, over all executors."""


@dataclass(frozen=True)
class Configuration:
    """One group: its numbers of consumers and queues, and digits that identify it among these."""

    consumers: int
    queues: int
    values: Values


@dataclass(frozen=True)
class Space:
    """All groups of one world within bounds on consumers, queues and their sum.

    Each number 0 .. ``groups`` - 1 belongs to one group, computed arithmetically: the size from the blocks, the digits
    by division. A world is a set of groups with one property, such as equal views.
    """

    world: Groups
    max_consumers: int
    max_queues: int
    together: int | None = None

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """(consumers, queues) of each block of group numbers, smallest first."""
        every = [(n, q) for n in range(1, self.max_consumers + 1) for q in range(1, self.max_queues + 1)]
        return tuple(size for size in every if self.together is None or sum(size) <= self.together)

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds on consumers and queues, by name; ``together`` is a bound on their sum, if any."""
        bounds = {"queues": self.max_queues, "consumers": self.max_consumers}
        return bounds if self.together is None else bounds | {"together": self.together}

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(self.world.groups(n, q) for n, q in self.sizes))

    @property
    def groups(self) -> int:
        """The number of groups in the space, by a closed form of the world."""
        return self._ends[-1]

    def decode(self, number: int) -> Configuration:
        """Return the group with that number."""
        block = bisect_right(self._ends, number)
        n, q = self.sizes[block]
        values = self.world.values(n, q, number - (self._ends[block - 1] if block else 0))
        return Configuration(n, q, values)

    def __iter__(self) -> Iterator[Configuration]:
        """Yield all groups, smallest first."""
        return map(self.decode, range(self.groups))
