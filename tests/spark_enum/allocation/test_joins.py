"""Cost of joins, counted shard by shard, compared with plain NumPy."""

from dataclasses import replace

import numpy as np
import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.terms import smt
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.allocation.space import BEYOND, JOINS, QUEUES, UNATTAINED
from rebalance_proofs.spark_enum.allocation.witness import CASES, SHOWN, Case, all_joins, count, joined, joins, joins_of
from rebalance_proofs.spark_enum.jobs import findings, here, run
from rebalance_proofs.spark_enum.results import Finding

AVG, CIRCLE = CASES
SMALL = (5, 8)


def found(case: Case, bound: tuple[int, int]) -> Finding:
    """In this process."""
    checks = [joined(case, bound)]
    return findings(checks, here(checks))[0]


def cost(consumers: int, queues: int, most: int, most_at: int, least: int, least_at: int, needed: int) -> dict:
    return {
        "consumers": consumers,
        "queues": queues,
        "most": most,
        "most_at": most_at,
        "least": least,
        "least_at": least_at,
        "needed": needed,
    }


@pytest.mark.spark
@pytest.mark.parametrize(
    ("bound", "count", "digests"),
    [
        pytest.param((8, 16), 704, None, id="small"),
        pytest.param((64, 64), 137_216, ("41de65e6adaf89c2", "2b3b2d817df6ff42"), id="default", marks=pytest.mark.slow),
    ],
)
def test_every_join_up_to_a_bound_agrees_with_the_proof(bound, count, digests, spark: SparkSession) -> None:
    checks = all_joins(bound)
    avg, circle = findings(checks, run(spark, checks))
    shown = [(n, q) for n, q in SHOWN if n < bound[0] and q <= bound[1]]
    for one in (avg, circle):
        assert not failures(one)
        assert one.counted == count
        assert [(cost["consumers"], cost["queues"]) for cost in one.details] == shown
    assert digests in (None, (avg.digest, circle.digest))
    assert (avg.subject, circle.subject) == ("avg", "circle")
    assert cost(3, 4, most=3, most_at=3, least=1, least_at=0, needed=1) in avg.details
    assert cost(3, 8, most=8, most_at=0, least=5, least_at=3, needed=2) in circle.details


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 5])
def test_spark_and_numpy_counts_are_equal(partitions: int | None, spark: SparkSession) -> None:
    checks = all_joins(SMALL)
    for case, one in zip(CASES, findings(checks, run(spark, checks, partitions)), strict=True):
        parts = [count(case, *joins_of(consumers, SMALL[1])) for consumers in range(1, SMALL[0] + 1)]
        (moved,) = (part.moved[part.queues == 3].tolist() for part in parts if part.consumers[0] == 2)
        assert replace(one, seconds=0.0, details=one.details[1:2]) == Finding(
            kind=JOINS,
            name=f"joins of {case.strategy.name}",
            subject=case.strategy.name,
            bounds={"queues": 8, "consumers": 5},
            counted=sum(len(part.moved) for part in parts),
            expected=joins(*SMALL),
            digest=f"{sum(sum(part.digest.tolist()) for part in parts) % 2**64:016x}",
            broken={BEYOND: 0, UNATTAINED: 0},
            numbers={QUEUES: sum(int(part.queues.sum()) for part in parts)},
            details=(cost(2, 3, max(moved), moved.index(max(moved)), min(moved), moved.index(min(moved)), 1),),
        )
        assert len(one.details) == sum(consumers <= SMALL[0] and queues <= SMALL[1] for consumers, queues in SHOWN)


def test_deviations_from_the_proof_are_counted() -> None:
    wrong = found(replace(AVG, exactly=lambda q, c, j: 2 * q, bound=lambda q, c: smt.IntVal(2)), (2, 2))
    plain = [count(AVG, *joins_of(consumers, 2)) for consumers in (1, 2)]
    moved, queues = (np.concatenate([getattr(part, name) for part in plain]) for name in ("moved", "queues"))
    assert wrong.differing == (moved != queues).sum()
    assert wrong.broken[BEYOND] == (moved > 1).sum() > 0
    assert failures(wrong)
    loose = found(replace(AVG, bound=lambda q, c: 4 * q), (2, 2))
    assert loose.broken == {UNATTAINED: 4, BEYOND: 0}
    assert len(failures(loose)) == 1


def test_incomplete_joins_are_a_failure() -> None:
    one = found(AVG, (1, 1))
    assert not failures(one)
    assert failures(replace(one, counted=1))
