"""Pieces of work in Spark's executors."""

import signal

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.spark_enum.jobs import run


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 7])
def test_every_piece_is_done_once(partitions: int | None, spark: SparkSession) -> None:
    factor = 3
    found = run(spark, lambda piece: (piece * factor, "done"), 20, partitions)
    assert sorted(found) == [(piece, (piece * 3, "done")) for piece in range(20)]


@pytest.mark.spark
def test_a_piece_that_never_ends_is_ended(spark: SparkSession) -> None:
    def work(piece: int) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.5, 1.0)  # this test does not wait for all of the time
        while piece == 3:
            pass

    with pytest.raises(Exception, match="OutOfTime: piece 3 of what the executors share took more than"):
        run(spark, work, 4)
