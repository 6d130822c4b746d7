"""Enumeration of a space: the concrete code computes each group, and the result is checked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.scope_words import without
from rebalance_proofs.spark_enum.allocation.group_check import Checked, GroupCheck
from rebalance_proofs.spark_enum.allocation.kinds import AT_PLACE, GROUPS, NUMBER_SUM, POSITIONS, RESULTS
from rebalance_proofs.spark_enum.allocation.places import Places
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import cut
from rebalance_proofs.spark_enum.results import Wrong
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

CHUNK = 512
"""The number of groups of one piece of work, which are checked in one call.

It is large enough for NumPy, and small enough for memory.
"""
SMALL = 64 * 64
"""Largest product of queues and consumers for which ``CHUNK`` groups are one piece of work.

Such a piece takes a small part of the time limit.
"""
FEW = 16
"""The number of groups of one piece of work if the groups are larger than ``SMALL``.

With 512 queues and consumers they take two seconds.
"""


def setting_of(world: Groups) -> str:
    """Return a world's name in findings: ``agreed``, ``join``, ``without-distinct-ids``."""
    return without(world) or world.name


def name_of(strategies: str, world: Groups) -> str:
    """Return the name of an enumeration: ``avg``, ``avg join``, ``avg without-distinct-ids``."""
    return strategies if world.name == AGREED.name else f"{strategies} {setting_of(world)}"


def sweep(space: Space, check: GroupCheck) -> Check:
    """Return the check of all groups of a space."""
    strategies = subject(check.subjects)
    return Check(
        kind=GROUPS,
        name=name_of(strategies, space.world),
        pieces=-(-space.groups // CHUNK),
        expected=space.groups,
        do=Sweep(space, check),
        subject=strategies,
        setting=setting_of(space.world),
        bounds=space.bounds,
    )


@dataclass(frozen=True)
class Sweep:
    """A function that checks the groups of one piece of a space."""

    space: Space
    check: GroupCheck

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        numbers = range(piece * CHUNK, min((piece + 1) * CHUNK, self.space.groups))
        large = self.space.max_queues * self.space.max_consumers > SMALL
        groups: list[Checked] = []
        for some in cut(numbers, FEW if large else CHUNK):
            with within(f"checking {len(some)} groups of {subject(self.check.subjects)}"):
                groups += self.check(map(self.space.decode, some))
        if keep and groups:
            self._keep(groups, keep)
        return self._totals(numbers, groups)

    @cached_property
    def _places(self) -> Places:
        return Places(self.check.world)

    def _at_place(self, numbers: range, groups: Sequence[Checked]) -> int:
        """Return how many of these groups have the number that they should have."""
        before = self.space.decode(numbers.start - 1) if numbers.start else None
        after = self.space.decode(numbers.stop) if numbers.stop < self.space.groups else None
        found = [group.configuration for group in groups]
        return sum(map(self._places.right, [before, *found], found, [*found[1:], after]))

    def _totals(self, numbers: range, groups: Sequence[Checked]) -> Totals:
        names = [guarantee.name for guarantee in self.check.guarantees]
        totals = Totals(counted=len(groups), broken=Counter(dict.fromkeys(names, 0)))
        totals.numbers.update(
            {
                RESULTS: sum(found.configuration.consumers for found in groups),
                POSITIONS: sum(found.positions for found in groups),
                NUMBER_SUM: sum(numbers),
                AT_PLACE: self._at_place(numbers, groups),
            }
        )
        for found in groups:
            totals.adds(found.digest)
            if found.mismatch:
                which = found.configuration
                case = f"{which.consumers} consumers, {which.queues} queues, digits {list(which.values)}"
                totals.differs(_case(found, f"{case}: {found.mismatch}"))
            for name, said in zip(names, found.violations, strict=True):
                if said:
                    totals.breaks(name, _case(found, said))
        return totals

    def _keep(self, groups: Sequence[Checked], keep: Keep) -> None:
        names = [guarantee.name for guarantee in self.check.guarantees]
        keep(
            consumers=[found.configuration.consumers for found in groups],
            queues=[found.configuration.queues for found in groups],
            digits=[found.configuration.values for found in groups],
            found=[str(found.results) for found in groups],
            numbers={POSITIONS: [found.positions for found in groups]},
            digest=[found.digest for found in groups],
            differs=[found.mismatch for found in groups],
            broken=[
                [(name, said) for name, said in zip(names, found.violations, strict=True) if said] for found in groups
            ],
        )


def _case(found: Checked, sentence: str) -> Wrong:
    configuration = found.configuration
    return Wrong((configuration.consumers, configuration.queues), configuration.values, sentence)
