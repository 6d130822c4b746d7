"""Enumeration of a space: the concrete code computes each group, and the result is checked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from time import perf_counter

from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import AGREED, Groups, Values
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation import search
from rebalance_proofs.proofs.allocation.search import first_violation, is_model
from rebalance_proofs.proofs.claim import Claim, without
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.spark_enum.allocation.group_check import Checked, GroupCheck
from rebalance_proofs.spark_enum.allocation.space import (
    AT_PLACE,
    GROUPS,
    NUMBER_SUM,
    POSITIONS,
    RESULTS,
    SIZES,
    SOLVER_TIME,
    Configuration,
    Space,
)
from rebalance_proofs.spark_enum.check import Check, Keep
from rebalance_proofs.spark_enum.jobs import cut
from rebalance_proofs.spark_enum.results import Totals, Wrong

# Check that each number decodes to the right group, so that an enumeration is complete.
# The decoder of numbers is compared with the definition of valid digits. A space is enumerated completely if three
# conditions hold. The number of groups is that of the closed form, each group is greater than the one before it, and
# the last group of a size is the greatest.

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


# Comparison of a solver with concrete strategy code, for each number of queues and consumers.
# The solver must find a violation of the claim exactly if the concrete code has one.

LIMIT = 20.0
"""CPU-time limit of one query in seconds.

At a fixed size all divisors are numerals, and a query takes milliseconds.
"""


def at_size(claim: Claim, bound: tuple[int, int], solver: str = "z3") -> Check:
    """Return the check that compares the solver with the concrete code, for one claim.

    It covers all sizes up to ``bound`` (consumers, queues). All sizes with the same number of consumers are one piece
    of work; the expensive pieces come first.
    """
    consumers, queues = bound
    return Check(
        kind=SIZES,
        name=claim.id,
        pieces=consumers,
        expected=consumers * queues,
        do=lambda piece, keep: compare(claim, consumers - piece, queues, solver, keep),
        subject=subject(claim.subjects),
        setting=setting_of(claim.world),
        bounds={"queues": queues, "consumers": consumers},
        record=lambda totals: {"digest": ""},
    )


def compare(claim: Claim, n: int, max_queues: int, solver: str = "z3", keep: Keep | None = None) -> Totals:
    """Compare the solver with the concrete code for n consumers and each number of queues.

    A spurious solver model counts as inconclusive. Such a model violates the guarantee only because products or
    quotients are replaced by new variables.
    """
    with within(f"{claim.id}: writing the text about {n} consumers"):
        group = claim.world.symbolic(claim.encodings, n)
        text = search.violation_at(claim.id, claim.guarantee, claim.world, group)
    sizes = range(1, max_queues + 1)
    start = perf_counter()
    said = SOLVERS[solver].solve_all([search.at(text, q) for q in sizes], seconds=LIMIT)
    totals = Totals(counted=len(sizes))
    totals.numbers[SOLVER_TIME] = round((perf_counter() - start) * 1e6)
    exact = texts.exact(text)
    differs: list[str | None] = []
    for q, (outcome, model, reason) in zip(sizes, said, strict=True):
        with within(f"{claim.id}: checking the groups of {n} consumers and {q} queues"):
            concrete = first_violation(claim.guarantee, claim.world, claim.subjects, n, q)
        spurious = outcome is Outcome.SAT and not concrete and not exact
        spurious = spurious and not is_model(claim.guarantee, group, model)
        differs.append(None)
        if outcome is not (Outcome.SAT if concrete else Outcome.UNSAT) and not spurious:
            sentence = concrete.sentence if concrete else "no violation"
            answer = f"{outcome} ({reason})" if reason else outcome
            differs[-1] = wrong = f"{n} consumers, {q} queues: {solver} answers {answer}, concrete: {sentence}"
            totals.differs(Wrong((n, q), (), wrong))
    if keep:
        found = [str(outcome) for outcome, _, _ in said]
        keep(consumers=[n] * len(sizes), queues=list(sizes), found=found, differs=differs)
    return totals
