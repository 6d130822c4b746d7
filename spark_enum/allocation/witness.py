"""The enumeration for allocation claims, and contradictions between results and claims."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b

import numpy as np

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.terms.simplified import greatest
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.joins import JOINS as JOINED
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.movement.circle import staying
from rebalance_proofs.proofs.movement.lemmas import changed_hands_twice, lean, shares
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.allocation.group_check import checks, spread
from rebalance_proofs.spark_enum.allocation.space import (
    BEYOND,
    ENUMERATOR,
    GROUPS,
    JOINS,
    QUEUES,
    SIZES,
    SMALLEST,
    SOLVER,
    UNATTAINED,
)
from rebalance_proofs.spark_enum.allocation.sweep import at_size, name_of, sweep
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Keep, Run, Told
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Totals, Wrong

# The cost of joins: how many queues change owner when a consumer joins.
# The number is counted for all small numbers of queues and consumers, and all indexes of the joiner.

# Count the queues that change owner in joins, and compute the same number by closed forms.
# The queues' owners come from the strategies' compiled formulas. NumPy is used, without Spark.

Term = smt.IntTerm


@dataclass(frozen=True)
class Case:
    """A strategy with closed forms for the number of queues that change owner in a join.

    The closed forms are terms for twice that number, to avoid fractions.
    """

    strategy: Strategy
    exactly: Callable[[Term, Term, Term], Term]
    """``exactly(q, c, j)``: twice the exact number of moved queues.

    There are q queues and, before the join, c consumers; j is the joiner's index.
    """
    bound: Callable[[Term, Term], Term]
    """``bound(q, c)``: twice the largest number of moved queues, over all indexes of the joiner."""


def _averagely_bound(q: Term, c: Term) -> Term:
    leaning = lean(shares(q, c))
    return greatest([q + leaning, q - leaning])


CASES = (
    Case(AVERAGELY, lambda q, c, j: changed_hands_twice(shares(q, c), j), _averagely_bound),
    Case(
        AVERAGELY_BY_CIRCLE,
        lambda q, c, j: 2 * (q - staying(q, c, j)),
        lambda q, c: 2 * (q - staying(q, c, smt.IntVal(0))),
    ),
)


@dataclass(frozen=True)
class Counted:
    """The counts for a batch of joins: arrays with one entry for each join."""

    consumers: np.ndarray
    """Number of consumers before the join."""
    queues: np.ndarray
    place: np.ndarray
    """The joiner's index among all consumers after the join."""
    moved: np.ndarray
    """The counted number of queues that change owner."""
    exactly: np.ndarray
    """The number of queues that change owner, by the closed form."""
    bound: np.ndarray
    digest: np.ndarray
    """A digest of the join and of the queues that change owner; signed 64 bits."""


def joins(max_consumers: int, max_queues: int) -> int:
    """Return the number of joins up to the given numbers of consumers and queues.

    For each c up to ``max_consumers`` and each q up to ``max_queues``, the joiner has c + 1 possible indexes.
    """
    return max_queues * max_consumers * (max_consumers + 3) // 2


def joins_of(consumers: int, max_queues: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all joins to groups of ``consumers`` members, fewest queues first.

    The three arrays are the numbers of consumers, the numbers of queues, and the joiner's indexes.
    """
    places = consumers + 1
    queues = np.repeat(np.arange(1, max_queues + 1), places)
    return np.full_like(queues, consumers), queues, np.tile(np.arange(places), max_queues)


def count(case: Case, consumers: np.ndarray, queues: np.ndarray, place: np.ndarray) -> Counted:
    """Count the queues that change owner in each join."""
    owners, closed = kernels(case)
    row, position = spread(queues)
    before, after = owners(queues[row], consumers[row], position)
    moves = after != before + (before >= place[row])
    starts = np.cumsum(queues) - queues
    moved = np.add.reduceat(moves, starts, dtype=np.int64) if len(queues) else np.zeros(0, dtype=np.int64)
    exactly, bound = (np.broadcast_to(twice, moved.shape) // 2 for twice in closed(queues, consumers, place))
    digests = [
        _digest(join, moves[start : start + join[1]])
        for start, *join in zip(*(column.tolist() for column in (starts, consumers, queues, place)), strict=True)
    ]
    return Counted(consumers, queues, place, moved, exactly, bound, np.array(digests, dtype=np.int64))


@cache
def kernels(case: Case) -> tuple[Kernel, Kernel]:
    """Return two functions on arrays: owners before and after the join; both closed forms.

    The first takes (q, c, p), where p is a queue's position. The second takes (q, c, j), where j is the joiner's index;
    its results are doubled.
    """
    q, c, j, p = smt.Ints("q c j p")
    owner = case.strategy.encoding.owner
    owners = compile_kernel(("q", "c", "p"), owner(q, c, p), owner(q, c + 1, p))
    return owners, compile_kernel(("q", "c", "j"), case.exactly(q, c, j), case.bound(q, c))


def _digest(join: list[int], moves: np.ndarray) -> int:
    text = " ".join(map(str, join)).encode() + moves.tobytes()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)


SHOWN = ((1, 8), (2, 3), (2, 8), (3, 4), (3, 8), (3, 16), (4, 8), (4, 16), (7, 8), (7, 16), (7, 64), (15, 64), (63, 64))
"""(consumers before the join, queues) of the costs that are printed."""


def joined(case: Case, bound: tuple[int, int]) -> Check:
    """Return the check that counts the moved queues in every join, for one strategy.

    ``bound`` is the largest (consumers before the join, queues). All joins with the same number of consumers are one
    piece of work.
    """
    consumers, queues = bound
    return Check(
        kind=JOINS,
        name=f"joins of {case.strategy.name}",
        pieces=consumers,
        expected=joins(consumers, queues),
        do=partial(_counted, case, queues),
        subject=case.strategy.name,
        bounds={"queues": queues, "consumers": consumers},
        record=_costs,
    )


def _counted(case: Case, max_queues: int, piece: int, keep: Keep | None = None) -> Totals:
    consumers = piece + 1
    found = count(case, *joins_of(consumers, max_queues))
    starts = np.arange(0, len(found.moved), consumers + 1)
    worst = np.maximum.reduceat(found.moved, starts)
    totals = Totals(counted=len(found.moved), differing=int((found.moved != found.exactly).sum()))
    totals.adds(sum(found.digest.tolist()))
    totals.broken.update(
        {BEYOND: int((found.moved > found.bound).sum()), UNATTAINED: int((worst < found.bound[starts]).sum())}
    )
    totals.numbers[QUEUES] = int(found.queues.sum())
    for size, moved in enumerate(np.split(found.moved, starts[1:]), 1):
        if (consumers, size) in SHOWN:
            cost = moved.max(), moved.argmax(), moved.min(), moved.argmin()
            totals.kept[_size(consumers, size)] = tuple(map(int, cost))
    if keep:
        numbers = {name: getattr(found, name) for name in ("place", "moved", "exactly", "bound")}
        keep(consumers=found.consumers, queues=found.queues, numbers=numbers, digest=found.digest)
    return totals


def _costs(totals: Totals) -> Told:
    return {"details": tuple(_cost(*size, *totals.kept[_size(*size)]) for size in SHOWN if _size(*size) in totals.kept)}


def all_joins(bound: tuple[int, int], strategies: Collection[str] | None = None) -> list[Check]:
    """Return the checks of joins for the strategies whose movement is claimed in closed form.

    ``strategies`` selects some of them by name. ``bound`` is the largest (consumers before the join, queues).
    """
    return [joined(case, bound) for case in CASES if strategies is None or case.strategy.name in strategies]


def _size(consumers: int, queues: int) -> str:
    return f"{consumers} {queues}"


def _cost(consumers: int, queues: int, most: int, most_at: int, least: int, least_at: int) -> Mapping[str, int]:
    """Return a table row about the joins of one size: the most, fewest and necessary moved queues.

    ``most_at`` and ``least_at`` are the first joiner's indexes with these numbers. The necessary number is the smaller
    share after the join, if shares differ by at most one.
    """
    return {
        "consumers": consumers,
        "queues": queues,
        "most": most,
        "most_at": most_at,
        "least": least,
        "least_at": least_at,
        "needed": queues // (consumers + 1),
    }


JOB = 200_000
"""The maximum number of groups in one Spark job.

Small spaces share a job, because a job for each would take longer than its groups.
"""


def jobs(claims: Sequence[Claim], bounds: Bounds, solver: str = "z3") -> list[list[Check]]:
    """Return the checks of each Spark job.

    They enumerate the groups of the claims, count moved queues in joins, and compare the solver with concrete code at
    each size.
    """
    sweeps = [sweep(bounds.space(check.world), check) for check in checks(claims)]
    joined = {subject(claim.subjects) for claim in claims}
    joins = all_joins(bounds.counted, joined) if any(claim.world is JOINED for claim in claims) else []
    sizes = [at_size(claim, bounds.asked(claim.world), solver) for claim in claims if not claim.world.sized]
    return [some for some in (*in_jobs(sweeps), joins, sizes) if some]


def in_jobs(sweeps: Sequence[Check]) -> list[list[Check]]:
    """Divide the enumerations among Spark jobs, in order.

    No job has more than ``JOB`` groups unless one space alone has more.
    """
    found: list[list[Check]] = []
    size = 0
    for swept in sweeps:
        if not found or size + swept.expected > JOB:
            found.append([])
            size = 0
        found[-1].append(swept)
        size += swept.expected
    return found


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """Yield the findings of each job. No job needs the findings of earlier ones."""
    return (findings(some, run(some)) for some in jobs(claims, bounds, solver))


def sweep_of(claim: Claim, world: Groups, enumerated: Enumerated) -> Finding | None:
    """Return the finding about the claim's strategy in one world (set of groups).

    None if these groups were not enumerated.
    """
    return enumerated.named(GROUPS, name_of(subject(claim.subjects), world))


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return contradictions between the enumeration and a claim, one sentence each.

    They can occur in the claim's own groups, in other groups in which it holds too, and between solver and concrete
    code at one size.
    """
    said = []
    swept = sweep_of(claim, claim.world, enumerated)
    if swept:
        said += [*_violated(claim, swept, result), *_unlike(claim, swept, enumerated, result), *_differs(swept)]
    for other in (sweep_of(claim, world, enumerated) for world in claim.also):
        if other:
            said += [*_violated(claim, other, result), *_differs(other)]
    asked = enumerated.named(SIZES, claim.id)
    return [*said, asked.first] if asked and asked.differing else said


def _violated(claim: Claim, swept: Finding, result: ClaimResult | None) -> list[str]:
    found = swept.smallest.get(claim.guarantee.name)
    searched = result.search if result else None
    if claim.expected is Verdict.PROVED and found and not (searched and searched.counterexample):
        consumers, queues = found.size
        return [f"violated with {consumers} consumers and {queues} queues. {found.sentence}"]
    return []


def _unlike(claim: Claim, swept: Finding, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return a sentence if the solver's counterexample is missing or has an unexpected size.

    Its size is compared with that of the smallest enumerated one.
    """
    if claim.expected is not Verdict.REFUTED:
        return []
    if result and result.search:
        compared = smallest(claim, enumerated, result)
        return [compared.first] if compared and compared.differing and result.search.minimal else []
    queues, consumers = swept.bounds["queues"], swept.bounds["consumers"]
    # A space with reduced bounds may end before the first violation.
    wholes = claim.world.bound, (claim.world.usual or claim.world.bound)[:2]
    whole = not claim.world.sized or (consumers, queues) in wholes
    if claim.guarantee.name in swept.smallest or not whole:
        return []
    return [f"expected to fail, but no violation with up to {consumers} consumers and {queues} queues"]


def _differs(swept: Finding) -> list[str]:
    return [f"concrete result and compiled term differ: {swept.first}"] if swept.differing else []


def smallest(claim: Claim, enumerated: Enumerated, result: ClaimResult) -> Finding | None:
    """Compare the smallest counterexamples of the solver and of the enumeration.

    They agree if both have the same size. They also agree if the enumeration found none and the solver's is larger than
    the enumerated groups. The finding counts one case if the solver's is within the bounds.
    """
    swept = sweep_of(claim, claim.world, enumerated)
    if not (swept and result.search):
        return None
    example, found = result.search.counterexample, swept.smallest.get(claim.guarantee.name)
    solver = Wrong((example.consumers, example.queues), example.values, example.sentence) if example else None
    sizes = {who: case for who, case in ((SOLVER, solver), (ENUMERATOR, found)) if case}
    here, there = (case.size if case else None for case in (solver, found))
    within = example and _within(example.consumers, example.queues, swept.bounds)
    differs = here != there if within else there is not None
    return Finding(
        kind=SMALLEST,
        name=claim.id,
        counted=int(bool(within)),
        expected=int(bool(within)),
        subject=swept.subject,
        setting=swept.setting,
        bounds=swept.bounds,
        differing=int(differs),
        first=f"smallest counterexample: solver {here}, enumerator {there}" if differs else "",
        smallest=sizes,
    )


def _within(consumers: int, queues: int, bounds: Mapping[str, int]) -> bool:
    """Return True if groups of that size are within the bounds of the enumeration."""
    most = bounds.get("together", consumers + queues)
    return consumers <= bounds["consumers"] and queues <= bounds["queues"] and consumers + queues <= most


ALLOCATION = Kind(
    jobs=lambda claims, bounds: len(jobs(claims, bounds)),
    found=found,
    against=against,
    compared=smallest,
)
