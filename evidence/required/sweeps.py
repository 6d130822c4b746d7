"""Required sweeps: complete enumerations of the claims' groups, up to the requested bounds."""

from collections.abc import Iterator

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required import sums
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.allocation.kinds import (
    AT_PLACE,
    GROUPS,
    JOINS,
    NUMBER_SUM,
    POSITIONS,
    QUEUES,
    RESULTS,
    SIZES,
)
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated, Finding

Name = tuple[str, str]
"""The strategies and the assumptions of a sweep, by name."""


def sweeps(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required sweeps, one for each set of assumptions and choice of strategies."""
    wanted: dict[Name, tuple[Groups, set[str]]] = {}
    for claim in group_claims(asked):
        for world in (claim.world, *claim.also):
            setting = f"without-{world.name}" if world.dropped else world.name
            names = wanted.setdefault((subject(claim.subjects), setting), (world, set()))[1]
            names.add(claim.guarantee.name)
    there = {(sweep.subject, sweep.setting): sweep for sweep in found.of(GROUPS)}
    yield Required("enumerated spaces of groups", len(wanted), sum(name in there for name in wanted))
    for name, (world, guarantees) in wanted.items():
        if name in there:
            yield from _sweep(there[name], world, guarantees, bounds)


def group_claims(asked: Asked) -> list[Claim]:
    """Return the requested claims about groups and their allocation."""
    return [claim for claim in asked.claims if claim.kind == Groups.kind]


def _sweep(sweep: Finding, world: Groups, guarantees: set[str], bounds: Bounds) -> Iterator[Required]:
    bound, most = swept(world, bounds), together(world, bounds)
    found = (sweep.bounds["consumers"], sweep.bounds["queues"]), sweep.bounds.get("together")
    told: dict[str, tuple[int, int] | tuple[str, str]] = {"bounds": (_size(bound, most), _size(*found))}
    told["groups"] = sums.groups(world, bound, most), sweep.counted
    told["groups with the right number"] = sums.groups(world, bound, most), sweep.numbers[AT_PLACE]
    told["sum of the groups' numbers"] = sums.number_sum(world, bound, most), sweep.numbers[NUMBER_SUM]
    told["results"] = sums.results(world, bound, most), sweep.numbers[RESULTS]
    told["positions compared"] = sums.positions(world, bound, most), sweep.numbers[POSITIONS]
    told["guarantees tried"] = len(guarantees), len(guarantees & set(sweep.broken))
    for what, pair in told.items():
        yield Required(f"{sweep.name}: {what}", *pair)


def swept(world: Groups, bounds: Bounds) -> sums.Size:
    """Return the largest (consumers, queues) that must be enumerated under these assumptions."""
    if not (world.sized or world.varied):
        return bounds.consumers, bounds.queues
    most = together(world, bounds)
    consumers, queues = world.usual[:2] if world.usual and not bounds.far else world.bound
    n, q = min(bounds.consumers, consumers), min(bounds.queues, queues)
    while sums.groups(world, (n, q), most) > bounds.groups and (n, q) != (1, 1):
        n, q = (n - 1, q) if n >= q else (n, q - 1)
    return n, q


def together(world: Groups, bounds: Bounds) -> int | None:
    """Return the largest sum of consumers and queues in an enumerated group.

    None if their sum is not limited.
    """
    return None if bounds.far or not world.usual else world.usual[2]


def at_sizes(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required solver queries: every size of every claim with unbounded terms."""
    expected = 0
    for claim in group_claims(asked):
        world = claim.world
        if not world.sized:
            most = bounds.at_size_without if world.varied else bounds.at_size
            n, q = map(min, swept(world, bounds), most)
            expected += n * q
    yield Required("sizes checked by the solver", expected, sum(row.counted for row in found.of(SIZES)))


def joins(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required enumerations of joining consumers, within the bounds.

    They cover strategies with a closed form of the number of moved queues.
    """
    n, q = min(bounds.consumers, 64), min(bounds.queues, 64)
    for joined in found.of(JOINS):
        # the joiner has c + 1 possible indexes
        places = sum(c + 1 for c in range(1, n + 1))
        yield Required(joined.name, places * q, joined.counted)
        yield Required(f"{joined.name}: queues checked", places * q * (q + 1) // 2, joined.numbers[QUEUES])
    wanted = {subject(claim.subjects) for claim in group_claims(asked) if claim.guarantee.name in ("moved", "kept")}
    there = {joined.subject for joined in found.of(JOINS)}
    yield Required("strategies with counted joins", len(wanted), len(wanted & there))


def _size(bound: sums.Size, most: int | None) -> str:
    return f"c <= {bound[0]}, q <= {bound[1]}{'' if most is None else f', c + q <= {most}'}"
