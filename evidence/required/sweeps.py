"""Required sweeps: complete enumerations of the claims' groups, up to the requested bounds."""

from collections.abc import Iterator

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.failures import Required
from rebalance_proofs.spark_enum.allocation.space import (
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
from rebalance_proofs.spark_enum.explorer.recorded import read
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.results import Enumerated, Finding

# Closed forms for the numbers of enumerated groups, results and compared positions.

Size = tuple[int, int]
"""A size of groups: (consumers, queues)."""


def sizes(bound: Size, together: int | None = None) -> list[Size]:
    """Return every size up to a bound, with at most ``together`` consumers plus queues."""
    most = sum(bound) if together is None else together
    return [(n, q) for n in range(1, bound[0] + 1) for q in range(1, min(bound[1], most - n) + 1)]


def groups(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the number of groups that an enumeration up to a bound tries."""
    return sum(world.groups(n, q) for n, q in sizes(bound, together))


def results(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the number of results of single consumers in these groups."""
    return sum(n * world.groups(n, q) for n, q in sizes(bound, together))


def number_sum(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the sum of the numbers of all groups, which are counted from 0."""
    many = groups(world, bound, together)
    return many * (many - 1) // 2


def positions(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the number of queue positions at which results are compared.

    If groups of one size differ, every queue of the topic is compared with the formula of each member. If the terms
    are for any number of queues, every position of a consumer's mqAll, and one position beyond either end, is
    compared with the compiled encoding. This is done for each consumer that is listed and subscribes.
    """
    total = 0
    for n, q in sizes(bound, together):
        if world.sized or world.varied:
            total += world.groups(n, q) * n * q
        if not world.sized:
            total += _seen(world, n, q)
    return total


def _seen(world: Groups, n: int, q: int) -> int:
    """Return the total length of the consumers' queue lists, plus 2 for each list, at one size."""
    match world.name:
        case "own-id-listed":
            # in half of the groups a given consumer takes part
            listed: int = n * world.groups(n, q) // 2 * (q + 2)
            return listed
        case "same-subscription":
            # in half of the bit strings a given consumer takes part
            taking_part: int = n * 2 ** (n - 1) * (q + 2)
            return taking_part
        case "same-mq-all":
            # a list has the queues of two of three kinds; strings with an empty list are excluded
            lengths: int = 2 * q * 3 ** (q - 1) - q
            seen: int = n * (2**n - 2) * (lengths + 2 * (3**q - 2))
            return seen
    return world.groups(n, q) * n * (q + 2)


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
    told["groups"] = groups(world, bound, most), sweep.counted
    told["groups with the right number"] = groups(world, bound, most), sweep.numbers[AT_PLACE]
    told["sum of the groups' numbers"] = number_sum(world, bound, most), sweep.numbers[NUMBER_SUM]
    told["results"] = results(world, bound, most), sweep.numbers[RESULTS]
    told["positions compared"] = positions(world, bound, most), sweep.numbers[POSITIONS]
    told["guarantees tried"] = len(guarantees), len(guarantees & set(sweep.broken))
    for what, pair in told.items():
        yield Required(f"{sweep.name}: {what}", *pair)


def swept(world: Groups, bounds: Bounds) -> Size:
    """Return the largest (consumers, queues) that must be enumerated under these assumptions."""
    if not (world.sized or world.varied):
        return bounds.consumers, bounds.queues
    most = together(world, bounds)
    consumers, queues = world.usual[:2] if world.usual and not bounds.far else world.bound
    n, q = min(bounds.consumers, consumers), min(bounds.queues, queues)
    while groups(world, (n, q), most) > bounds.groups and (n, q) != (1, 1):
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


def _size(bound: Size, most: int | None) -> str:
    return f"c <= {bound[0]}, q <= {bound[1]}{'' if most is None else f', c + q <= {most}'}"


# Required explorations: each recorded group of the claims, with its number of states.


def explorations(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required explorations from the recorded file alone.

    A group that is missing in the tables of groups is therefore noticed.
    """
    ids = {claim.id for claim in asked.claims}
    recorded = {**read("quick"), **(read("larger") if bounds.larger else {})}
    wanted = {name: group for name, group in recorded.items() if ids & {*group.claims}}
    there = {row.name: row for row in found.of(EXPLORED)}
    yield Required("explored groups", len(wanted), len(wanted.keys() & there.keys()))
    for name, group in wanted.items():
        if name in there:
            yield Required(f"{name}: states", group.states, there[name].counted)
