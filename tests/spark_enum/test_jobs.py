"""Checks whose shards are distributed over Spark's executors."""

import signal

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import here, run
from rebalance_proofs.spark_enum.results import Totals


def check(pieces: int, do) -> Check:
    return Check("kind", "name", pieces, pieces, do)


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 7])
def test_every_piece_is_executed_once(partitions: int | None, spark: SparkSession) -> None:
    factor = 3

    def tripled(piece: int, keep: object) -> Totals:
        return Totals(counted=1, digest=piece * factor, kept={f"{piece}": (piece,)})

    checks = [check(20, tripled), check(0, tripled), check(5, tripled)]
    found = run(spark, checks, partitions)
    for one, pieces in zip(found, (20, 0, 5), strict=True):
        assert (one.counted, one.digest) == (pieces, 3 * sum(range(pieces)))
        assert one.kept == {f"{piece}": (piece,) for piece in range(pieces)}
    assert [one.kept for one in here(checks)] == [one.kept for one in found]


@pytest.mark.spark
def test_empty_check_starts_no_job(spark: SparkSession) -> None:
    assert run(spark, []) == []
    assert run(spark, [check(0, None)]) == [Totals()]


@pytest.mark.spark
def test_piece_that_never_ends_is_ended(spark: SparkSession) -> None:
    def work(piece: int, keep: object) -> Totals:
        signal.setitimer(signal.ITIMER_PROF, 0.5, 1.0)  # this test does not wait for all of the time
        while piece == 3:
            pass
        return Totals()

    with pytest.raises(Exception, match="OutOfTime: piece 3 of the shared work took more than"):
        run(spark, [check(4, work)])
