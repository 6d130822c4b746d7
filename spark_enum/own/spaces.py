"""The spaces of groups on which a user's own strategy is tried, and what is asked in each."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.naming import BROKERS, NAMINGS, PLAIN, Naming
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.premises.same_subscription import SAME_SUBSCRIPTION
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.restarts import RESTARTS
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, WITHOUT
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.proofs.growth.steady import STEADY
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.joins.once import NO_RETURN, ONCE
from rebalance_proofs.proofs.joins.restart import OWN_ONLY
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.proofs.movement.shrink import SHRINK
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.inside import INSIDE
from rebalance_proofs.spark_enum.own.same import SAME_AS, SAME_LISTS

CHANGES: tuple[tuple[Groups, tuple[Guarantee, ...]], ...] = (
    (JOINS, (MONOTONE, SHRINK)),
    (TWO_JOINS, (ONCE, NO_RETURN)),
    (RESTARTS, (OWN_ONLY,)),
    (GROWS, (STEADY,)),
)
"""What is asked of groups that change. Closed forms of one strategy's movement are about that strategy alone."""

WORLDS: dict[str, tuple[Groups, tuple[Guarantee, ...]]] = {
    AGREED.name: (AGREED, (INSIDE, *GUARANTEES)),
    **{world.name: (world, (*WITHOUT, *((UNREAD,) if world is SAME_SUBSCRIPTION else ()))) for world in PREMISES},
    **{world.name: (world, guarantees) for world, guarantees in CHANGES},
}
"""By name: every world, and what is asked in it, in the order in which it is told."""

SMALL = 16
"""Where a strategy is compared with itself asked again, and with another process."""


@dataclass(frozen=True)
class OwnSpace:
    """One world with one naming, up to some size."""

    world: Groups
    guarantees: tuple[Guarantee, ...]
    naming: Naming
    bound: tuple[int, int]
    """(consumers, queues)"""
    other: Strategy | None = None
    """Of two strategies in a group: the second."""

    @property
    def name(self) -> str:
        """``agreed/plain``."""
        return f"{self.world.name}/{self.naming.name}"

    @property
    def space(self) -> Space:
        """Its groups by number."""
        return Space(self.world, *self.bound)

    def groups(self, strategy: Strategy, configurations: Sequence[Configuration]) -> list[Group]:
        """Concrete groups that run the strategy."""
        subjects = (strategy, self.other)[: self.world.subjects]
        return [
            self.naming.named(self.world.group(subjects, one.consumers, one.queues, one.values))
            for one in configurations
        ]

    @property
    def calls(self) -> int:
        """About how many calls of the strategy there are."""
        stages = {JOINS.name: 2, TWO_JOINS.name: 3, RESTARTS.name: 3, GROWS.name: 2}.get(self.world.name, 1)
        return stages * sum(n * self.world.groups(n, q) for n, q in self.space.sizes)


def spaces(bounds: Bounds, *, with_all_names: bool = False) -> tuple[OwnSpace, ...]:
    """All of them, those with one view and names of every kind first."""
    found = [OwnSpace(AGREED, WORLDS[AGREED.name][1], naming, bounds.swept(AGREED)) for naming in NAMINGS]
    for world, guarantees in list(WORLDS.values())[1:]:
        other = AVERAGELY if world.subjects == 2 else None
        for naming in NAMINGS if with_all_names else (PLAIN, BROKERS):
            found.append(OwnSpace(world, guarantees, naming, bounds.swept(world), other))
    return tuple(found)


def compared(bounds: Bounds, other: Strategy) -> tuple[OwnSpace, ...]:
    """Both strategies on the same lists."""
    return tuple(OwnSpace(SAME_AS, (SAME_LISTS,), naming, bounds.swept(AGREED), other) for naming in NAMINGS)
