"""Bounds of the enumeration: how large the enumerated groups are."""

from dataclasses import dataclass, field, replace

from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.transition.bounds import QUICK as QUICK_TRANSITIONS
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds

MOST_COUNTED = 64
"""The maximum number of consumers and queues for which moved queues in joins are counted.

The work grows with the third power.
"""

LARGEST = 512
"""The largest number of consumers or queues that users can set.

An enumeration of q, c <= N computes N * N * (N + 1) / 2 results, which must end within a day.
"""


@dataclass(frozen=True)
class Bounds:
    """The largest numbers of consumers and queues, and other limits of the enumeration.

    A world (set of groups with one property) can have smaller bounds, which take precedence.
    """

    consumers: int = AGREED.bound[0]
    queues: int = AGREED.bound[1]
    at_size: tuple[int, int] = (10, 10)
    """The largest (consumers, queues) for which the solver is queried at every size.

    These bounds apply to groups that satisfy all assumptions.
    """
    at_size_without: tuple[int, int] = (4, 4)
    """The same for worlds with several groups of each size, such as those without an assumption."""
    groups: int = 2_000_000
    """The largest number of groups in one space (enumerated set of groups).

    The bounds of a larger space are reduced until it has at most this many groups.
    """
    transitions: TransitionBounds = field(default_factory=TransitionBounds)
    """Bounds for the effects of one rebalance on a client's queues."""
    every: int = 1
    """Each action of a consumer is tried in one of this many states.

    See docs/explanation/decisions/enumeration.md.
    """
    far: bool = False
    """True to enumerate the largest groups of each world, instead of the default limits."""
    larger: bool = True
    """True to explore the larger standard groups too; see ``explorer.standard.LARGER``."""

    def __post_init__(self) -> None:
        for name, value in (("consumers", self.consumers), ("queues", self.queues)):
            if not 1 <= value <= LARGEST:
                raise UsageError(f"--{name} {value} is out of range; give a number from 1 to {LARGEST}")

    def swept(self, world: Groups) -> tuple[int, int]:
        """Return the largest (consumers, queues) of the world's enumerated groups."""
        if not world.varied and not world.sized:
            return self.consumers, self.queues
        most = world.usual[:2] if world.usual and not self.far else world.bound
        bound = min(self.consumers, most[0]), min(self.queues, most[1])
        while Space(world, *bound, self.together(world)).groups > self.groups and max(bound) > 1:
            # Reduce the larger bound; if both are equal, the bound on consumers.
            bound = (bound[0] - 1, bound[1]) if bound[0] >= bound[1] else (bound[0], bound[1] - 1)
        return bound

    def together(self, world: Groups) -> int | None:
        """Return the largest sum of consumers and queues of the world's groups; None without a limit."""
        return world.usual[2] if world.usual and not self.far else None

    def space(self, world: Groups) -> Space:
        """Return the enumerated groups of the world, numbered."""
        return Space(world, *self.swept(world), self.together(world))

    @property
    def counted(self) -> tuple[int, int]:
        """The largest (consumers before the join, queues) for counting the moved queues of joins."""
        return min(self.consumers, MOST_COUNTED), min(self.queues, MOST_COUNTED)

    def asked(self, world: Groups) -> tuple[int, int]:
        """Return the largest (consumers, queues) for which the solver is queried, at every size.

        (0, 0) for a world whose formulas are built for each size: there, every group is compared with the same formulas
        that the solvers refute.
        """
        if world.sized:
            return 0, 0
        swept, asked = self.swept(world), self.at_size_without if world.varied else self.at_size
        return min(swept[0], asked[0]), min(swept[1], asked[1])


QUICK = Bounds(
    consumers=16,
    queues=16,
    at_size=(6, 6),
    at_size_without=(3, 3),
    groups=25_000,
    transitions=QUICK_TRANSITIONS,
    every=4,
    larger=False,
)


def thorough(bounds: Bounds) -> Bounds:
    """Return bounds for ``--thorough``: the largest groups of each world.

    The solver is then queried at every enumerated size.
    """
    return replace(bounds, at_size=(LARGEST, LARGEST), at_size_without=(LARGEST, LARGEST), far=True)
