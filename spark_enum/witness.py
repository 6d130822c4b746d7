"""Run the enumeration for some claims, and compare its results with the claims."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from pyspark.sql import SparkSession

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Tables, clear
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.kinds import KINDS, Kind
from rebalance_proofs.spark_enum.results import Enumerated, Totals


def jobs(claims: Sequence[Claim], bounds: Bounds) -> int:
    """Return the number of Spark jobs for the claims, each of which reports progress once."""
    return sum(kind.jobs(some, bounds) for kind, some in _by_kind(claims))


def enumerate_claims(
    spark: SparkSession,
    claims: Sequence[Claim],
    bounds: Bounds,
    solver: str = "z3",
    parquet: Path | None = None,
    on_progress: Callable[[Enumerated], None] = lambda so_far: None,
) -> Enumerated:
    """Enumerate all groups and cases that the claims need, and query ``solver`` at their sizes.

    ``on_progress`` receives all results so far after each job. ``parquet`` is a directory for tables with a row for
    each case.
    """
    numbers = count()
    if parquet:
        clear(parquet)

    def done(checks: Sequence[Check]) -> list[Totals]:
        return run(spark, checks, tables=Tables(parquet, next(numbers)) if parquet else None)

    enumerated = Enumerated(spark.version, spark.sparkContext.master or "")
    for kind, some in _by_kind(claims):
        for found in kind.found(done, some, bounds, solver):
            enumerated = replace(enumerated, findings=(*enumerated.findings, *found))
            on_progress(enumerated)
    return enumerated


def compare(claims: Sequence[Claim], enumerated: Enumerated, proved: Sequence[ClaimResult] = ()) -> Enumerated:
    """Add contradictions between the enumeration and the expected verdicts to the results.

    The smallest counterexamples are also compared with those of the solvers (``proved``).
    """
    results = {result.claim.id: result for result in proved}
    beside, unexpected = [], []
    for claim in claims:
        result = results.get(claim.id)
        if result:
            beside.append(KINDS[claim.kind].compared(claim, enumerated, result))
        unexpected += [f"{claim.id}: {said}" for said in against(claim, enumerated, result)]
    findings = (*enumerated.findings, *filter(None, beside))
    return replace(enumerated, findings=findings, unexpected=tuple(unexpected))


def judge(results: Sequence[ClaimResult], enumerated: Enumerated) -> tuple[ClaimResult, ...]:
    """Return the solvers' verdicts, replaced by DISAGREE where the enumeration contradicts them."""
    judged = []
    for result in results:
        said = against(result.claim, enumerated, result)
        if said:
            result = replace(result, verdict=Verdict.DISAGREE, reason=said[0], contradictions=tuple(said))
        judged.append(result)
    return tuple(judged)


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return contradictions between the enumeration and one claim, as sentences.

    They concern the claim's expected verdict, or the solvers' results.
    """
    return KINDS[claim.kind].against(claim, enumerated, result)


def _by_kind(claims: Sequence[Claim]) -> Iterator[tuple[Kind, list[Claim]]]:
    for name, kind in KINDS.items():
        some = [claim for claim in claims if claim.kind == name]
        if some:
            yield kind, some
