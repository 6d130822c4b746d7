"""The enumerator as a witness: everything that it computes for some claims, and what that says about them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.spark_enum.at_size import Job, at_size
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.movement import movements
from rebalance_proofs.spark_enum.results import Enumerated, Enumeration, Smallest
from rebalance_proofs.spark_enum.space import Space
from rebalance_proofs.spark_enum.sweep import sweeps
from rebalance_proofs.spark_enum.table import write_table
from rebalance_proofs.spark_enum.transition.against import promised_against
from rebalance_proofs.spark_enum.transition.results import TransitionEnumerated
from rebalance_proofs.spark_enum.transition.transitions import transitions
from rebalance_proofs.spark_enum.transition.trials import promises

JOB = 200_000
"""Groups in one Spark job: a job of its own for each small space would take longer than its groups."""


def about_groups(claims: Sequence[Claim]) -> list[Claim]:
    """The claims about what the consumers of a group take."""
    return [claim for claim in claims if isinstance(claim.world, Groups)]


def about_transitions(claims: Sequence[Claim]) -> list[Claim]:
    """The claims about what a client does with its table."""
    return [claim for claim in claims if isinstance(claim.world, Scenario)]


def checks(claims: Sequence[Claim]) -> tuple[Check, ...]:
    """One sweep for each premise and choice of strategies that the claims are about, with all their guarantees."""
    guarantees: dict[tuple, list] = {}
    for claim in about_groups(claims):
        for world in (claim.world, *claim.also):
            guarantees.setdefault((world, claim.subjects), []).append(claim.guarantee)
    return tuple(Check(world, strategies, tuple(found)) for (world, strategies), found in guarantees.items())


def enumerate_claims(
    spark: SparkSession,
    claims: Sequence[Claim],
    bounds: Bounds,
    solver: str = "z3",
    parquet: Path | None = None,
    on_progress: Callable[[Enumerated], None] = lambda so_far: None,
) -> Enumerated:
    """Sweeps the claims' spaces and asks ``solver`` at their sizes.

    ``on_progress`` is given everything that stands after each job. ``parquet`` is a directory for the tables.
    """
    found = Enumerated(spark.version, spark.sparkContext.master)
    for spaces in jobs_of([(Space(check.world, *bounds.swept(check.world)), check) for check in checks(claims)]):
        found = replace(found, enumerations=(*found.enumerations, *sweeps(spark, spaces)))
        on_progress(found)
        for space, check in spaces if parquet else ():
            write_table(spark, space, check, parquet / f"{subject(check.subjects)}.{check.world.name}")
    if any(claim.world is JOINS for claim in claims):
        counted = movements(spark, bounds.counted, {subject(claim.subjects) for claim in claims})
        found = replace(found, movements=counted)
        on_progress(found)
    jobs = [Job(claim, *bounds.asked(claim.world)) for claim in about_groups(claims) if not claim.world.sized]
    found = replace(found, at_size=at_size(spark, jobs, solver))
    on_progress(found)
    told = about_transitions(claims)
    if told:
        clients = tuple(dict.fromkeys(client for claim in told for client in claim.subjects))

        def keep(so_far: TransitionEnumerated) -> None:
            nonlocal found
            found = replace(found, transitions=so_far)
            on_progress(found)

        transitions(spark, clients, bounds.transitions, keep)
        depths = bounds.transitions.depths, bounds.transitions.deepest
        found = replace(found, promised=promises(spark, told, *depths))
        on_progress(found)
    return found


def jobs_of(spaces: Sequence[tuple[Space, Check]]) -> list[list[tuple[Space, Check]]]:
    """The spaces in order, in so many Spark jobs that none has more than ``JOB`` groups unless one space alone has."""
    jobs: list[list[tuple[Space, Check]]] = []
    size = 0
    for space, check in spaces:
        if not jobs or size + space.groups > JOB:
            jobs.append([])
            size = 0
        jobs[-1].append((space, check))
        size += space.groups
    return jobs


def compare(claims: Sequence[Claim], enumerated: Enumerated, proved: Sequence[ClaimResult] = ()) -> Enumerated:
    """Adds what the enumeration says against the expected verdicts and the solvers' smallest counterexamples."""
    results = {result.claim.id: result for result in proved}
    smallest, unexpected = [], []
    for claim in claims:
        swept, result = enumerated.sweep_of(claim), results.get(claim.id)
        if swept and result and result.search:
            smallest.append(_smallest(claim, result, swept))
        unexpected += [f"{claim.id}: {said}" for said in against(claim, enumerated, result)]
    return replace(enumerated, smallest=tuple(smallest), unexpected=tuple(unexpected))


def judge(results: Sequence[ClaimResult], enumerated: Enumerated) -> tuple[ClaimResult, ...]:
    """The solvers' verdicts, turned into DISAGREE where the enumeration contradicts them."""
    judged = []
    for result in results:
        said = against(result.claim, enumerated, result)
        if said:
            result = replace(result, verdict=Verdict.DISAGREE, reason=said[0], contradictions=tuple(said))
        judged.append(result)
    return tuple(judged)


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """What the enumeration says against the claim's expected verdict, or against what the solvers found."""
    swept = enumerated.sweep_of(claim)
    said = _swept_against(claim, swept, result) if swept else []
    said += promised_against(claim, enumerated.promised_of(claim), result)
    for other in enumerated.other_sweeps_of(claim):
        said += [*_violated(claim, other, result), *_differs(other)]
    return said + [row.first_disagreement for row in enumerated.at_size if row.claim == claim.id and row.disagreements]


def _swept_against(claim: Claim, swept: Enumeration, result: ClaimResult | None) -> list[str]:
    said = _violated(claim, swept, result)
    found = swept.smallest.get(claim.guarantee.name)
    searched = result.search if result else None
    # a space that was cut short may end in front of the first violation
    whole = not claim.world.sized or (swept.max_consumers, swept.max_queues) == claim.world.bound
    if claim.expected is Verdict.REFUTED and not searched and not found and whole:
        bound = f"{swept.max_consumers} consumers and {swept.max_queues} queues"
        said.append(f"expected to fail, but no violation with up to {bound}")
    if claim.expected is Verdict.REFUTED and searched and searched.minimal:
        compared = _smallest(claim, result, swept)
        if not compared.equal:
            said.append(f"smallest counterexample: solver {compared.solver}, enumerator {compared.enumerator}")
    return said + _differs(swept)


def _violated(claim: Claim, swept: Enumeration, result: ClaimResult | None) -> list[str]:
    found = swept.smallest.get(claim.guarantee.name)
    searched = result.search if result else None
    if claim.expected is Verdict.PROVED and found and not (searched and searched.counterexample):
        return [f"violated with {found.consumers} consumers and {found.queues} queues. {found.sentence}"]
    return []


def _differs(swept: Enumeration) -> list[str]:
    if not swept.mismatches:
        return []
    return [f"concrete result and compiled term differ: {swept.first_mismatch}"]


def _smallest(claim: Claim, result: ClaimResult, swept: Enumeration) -> Smallest:
    example = result.search.counterexample if result.search else None
    found = swept.smallest.get(claim.guarantee.name)
    return Smallest(
        claim=claim.id,
        solver=(example.consumers, example.queues) if example else None,
        enumerator=found.size if found else None,
        max_queues=swept.max_queues,
        max_consumers=swept.max_consumers,
    )
