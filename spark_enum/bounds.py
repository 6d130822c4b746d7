"""How far the enumeration goes."""

from dataclasses import dataclass, field, replace

from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.transition.bounds import QUICK as QUICK_TRANSITIONS
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds

MOST_COUNTED = 64
"""Joins of up to so many consumers and queues are counted; their number grows with the third power."""

LARGEST = 512
"""A sweep of q, c <= N computes N * N * (N + 1) / 2 results; beyond this it would not end within a day."""


@dataclass(frozen=True)
class Bounds:
    """Largest numbers of consumers and queues; a world's own bound holds where it is smaller."""

    consumers: int = AGREED.bound[0]
    queues: int = AGREED.bound[1]
    at_size: tuple[int, int] = (20, 20)
    """(consumers, queues) up to which the solver is asked at every size, where all premises hold."""
    at_size_without: tuple[int, int] = (4, 4)
    """The same where groups of one size differ."""
    groups: int = 2_000_000
    """The largest space that is swept; the bounds of a larger one are brought down."""
    transitions: TransitionBounds = field(default_factory=TransitionBounds)
    """How far transitions are enumerated."""
    larger: bool = True
    """Whether the larger ones of the standard groups are explored, too; see ``explorer.standard``."""

    def __post_init__(self) -> None:
        for name, value in (("consumers", self.consumers), ("queues", self.queues)):
            if not 1 <= value <= LARGEST:
                raise UsageError(f"the bound on {name} has to be between 1 and {LARGEST}, not {value}")

    def swept(self, world: Groups) -> tuple[int, int]:
        """(consumers, queues) of the world's sweep."""
        if not world.varied and not world.sized:
            return self.consumers, self.queues
        bound = min(self.consumers, world.bound[0]), min(self.queues, world.bound[1])
        while Space(world, *bound).groups > self.groups and max(bound) > 1:
            # the larger one goes down; consumers when both are equal
            bound = (bound[0] - 1, bound[1]) if bound[0] >= bound[1] else (bound[0], bound[1] - 1)
        return bound

    @property
    def counted(self) -> tuple[int, int]:
        """(consumers before the join, queues) up to which the cost of every join is counted."""
        return min(self.consumers, MOST_COUNTED), min(self.queues, MOST_COUNTED)

    def asked(self, world: Groups) -> tuple[int, int]:
        """(consumers, queues) up to which the solver is asked, at every size.

        (0, 0) for a sized premise: there every group is compared with the very formulas that the solvers refute.
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
    larger=False,
)


def thorough(bounds: Bounds) -> Bounds:
    """The solver is asked at every size that is swept."""
    return replace(bounds, at_size=(LARGEST, LARGEST), at_size_without=(LARGEST, LARGEST))
