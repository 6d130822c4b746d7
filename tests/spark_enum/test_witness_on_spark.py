"""From claims to verdicts: the solvers and the enumerator as witnesses of the same claims."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from model.allocation import STRATEGIES
from proofs.allocation import promise
from proofs.claim import Verdict
from proofs.ledger import select
from proofs.prove import Options, prove
from proofs.results import ClaimResult
from spark_enum.bounds import Bounds
from spark_enum.results import Enumerated
from spark_enum.witness import compare, enumerate_claims, judge

AVG = STRATEGIES[0]
(COVERS,) = select(["allocation.avg.covers"])

pytestmark = pytest.mark.spark


def test_right_claims_from_end_to_end(spark: SparkSession, proved: dict[str, ClaimResult], tmp_path: Path) -> None:
    claims = select(
        ["allocation.avg.disjoint", "allocation.circle.contiguous", "allocation.avg.covers.without-distinct-ids"]
    )
    told: list[Enumerated] = []
    bounds = Bounds(3, 3, at_size=(2, 2), at_size_without=(2, 2))
    found = enumerate_claims(spark, claims, bounds, parquet=tmp_path, on_progress=told.append)
    assert [len(so_far.enumerations) for so_far in told] == [1, 2, 3, 3]
    assert (found.spark, found.master) == (spark.version, "local[2]")
    names = ["avg.agreed", "avg.distinct-ids", "circle.agreed"]
    assert sorted(place.name for place in tmp_path.iterdir()) == names
    results = [proved[claim.id] for claim in claims]
    compared = compare(claims, found, results)
    assert compared.unexpected == ()
    assert [(same.solver, same.enumerator) for same in compared.smallest] == [((2, 3), (2, 3)), ((2, 2), (2, 2))]
    assert judge(results, compared) == tuple(results)


def test_wrong_code_that_the_solvers_do_not_see_is_disagreement(spark: SparkSession) -> None:
    """The solvers look at the encoding; the code is right as far as their models go."""

    def allocate(current_cid, mq_all, cid_all):
        taken = AVG.allocate(current_cid, mq_all, cid_all)
        return taken if len(mq_all) < 9 else [queue for queue in taken if queue != mq_all[-1]]

    claim = promise(replace(AVG, allocate=allocate, mutants=()), COVERS.guarantee)
    results = asyncio.run(prove([claim], Options()))
    assert [found.verdict for found in results] == [Verdict.PROVED]
    (after,) = judge(results, enumerate_claims(spark, [claim], Bounds(2, 9, at_size=(2, 9))))
    assert after.verdict is Verdict.DISAGREE
    assert after.reason == "violated with 1 consumers and 9 queues. queue 8 is consumed by nobody."
    assert len(after.contradictions) == 3
