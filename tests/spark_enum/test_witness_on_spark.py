"""From claims to verdicts: the solvers and the enumerator as witnesses of the same claims."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.proofs.allocation.claims import promise
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.space import ENUMERATOR, GROUPS, SIZES, SMALLEST, SOLVER
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated
from rebalance_proofs.spark_enum.witness import compare, enumerate_claims, jobs, judge

AVG = STRATEGIES[0]
(COVERS,) = select(["allocation.avg.covers"])

pytestmark = pytest.mark.spark


def smallest(found: Enumerated) -> dict[str, tuple]:
    """The sizes of both smallest counterexamples by claim."""
    return {same.name: (same.smallest[SOLVER].size, same.smallest[ENUMERATOR].size) for same in found.of(SMALLEST)}


def solved(claims: Sequence[Claim]) -> list[ClaimResult]:
    """What one solver says, which is enough to be compared with; all that is asked besides a proof left out."""
    return asyncio.run(prove(claims, Options(solvers=("z3",), jobs=1, teeth=False, width=False)))


def test_correct_claims_are_judged_end_to_end(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rebalance_proofs.spark_enum.allocation.witness.JOB", 1)  # a job of its own for each space
    claims = select(
        ["allocation.avg.disjoint", "allocation.circle.contiguous", "allocation.avg.covers.without-distinct-ids"]
    )
    told: list[Enumerated] = []
    bounds = Bounds(3, 3, at_size=(2, 2), at_size_without=(2, 2))
    found = enumerate_claims(spark, claims, bounds, parquet=tmp_path, on_progress=told.append)
    assert [len(so_far.findings) for so_far in told] == [1, 2, 3, 6]
    assert len(told) == jobs(claims, bounds)
    assert (found.spark, found.master) == (spark.version, "local[2]")
    assert sorted(place.name for place in tmp_path.iterdir()) == ["groups", "sizes"]
    results = solved(claims)
    compared = compare(claims, found, results)
    assert compared.unexpected == ()
    assert list(smallest(compared).values()) == [((2, 3), (2, 3)), ((2, 2), (2, 2))]
    assert judge(results, compared) == tuple(results)


def test_wrong_code_hidden_from_the_solvers_is_a_disagreement(spark: SparkSession) -> None:
    """The solvers read the encoding only; the code is correct as far as their models go."""

    def allocate(current_cid, mq_all, cid_all):
        taken = AVG.allocate(current_cid, mq_all, cid_all)
        return taken if len(mq_all) < 9 else [queue for queue in taken if queue != mq_all[-1]]

    claim = promise(replace(AVG, allocate=allocate, mutants=()), COVERS.guarantee)
    results = asyncio.run(prove([claim], Options(jobs=1)))
    assert [found.verdict for found in results] == [Verdict.PROVED]
    (after,) = judge(results, enumerate_claims(spark, [claim], Bounds(2, 9, at_size=(2, 9))))
    assert after.verdict is Verdict.DISAGREE
    assert after.reason == "violated with 1 consumers and 9 queues. queue 8 has no consumer."
    assert len(after.contradictions) == 3


def test_claims_in_sized_worlds_are_judged_end_to_end(spark: SparkSession) -> None:
    """Several spaces in one job; the solver is not used at sizes."""
    claims = select(
        [
            "allocation.hash.successor",
            "allocation.hash.balanced",
            "allocation.nearby.contiguous",
            "allocation.room-go.*",
            "clients.room+room-go.**",
        ]
    )
    told: list[Enumerated] = []
    found = enumerate_claims(spark, claims, Bounds(2, 3, groups=6_000), on_progress=told.append)
    assert [len(so_far.findings) for so_far in told] == [len(checks(claims))]
    assert found.of(SIZES) == ()
    assert all(swept.equal for swept in found.of(GROUPS))
    assert {swept.name for swept in found.of(GROUPS)} >= {"hash", "hash three-virtual-nodes", "nearby rooms"}
    results = solved(claims)
    compared = compare(claims, found, results)
    assert compared.unexpected == ()
    assert judge(results, compared) == tuple(results)
    sizes = smallest(compared)
    assert sizes["allocation.nearby.contiguous"] == ((2, 3), (2, 3))
    assert sizes["allocation.hash.balanced"] == ((2, 2), (2, 2))
