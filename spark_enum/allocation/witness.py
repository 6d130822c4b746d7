"""The enumeration for allocation claims, and contradictions between results and claims."""

from collections.abc import Iterator, Mapping, Sequence

from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.joins import JOINS as JOINED
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.joins import all_joins
from rebalance_proofs.spark_enum.allocation.kinds import ENUMERATOR, GROUPS, SIZES, SMALLEST, SOLVER
from rebalance_proofs.spark_enum.allocation.sweep import at_size, name_of, sweep
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Run
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong

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
