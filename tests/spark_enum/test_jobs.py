"""Pieces of work in Spark's executors."""

import pytest
from pyspark.sql import SparkSession

from spark_enum.jobs import run


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 1, 7])
def test_every_piece_is_done_once(partitions: int | None, spark: SparkSession) -> None:
    factor = 3
    found = run(spark, lambda piece: (piece * factor, "done"), 20, partitions)
    assert sorted(found) == [(piece, (piece * 3, "done")) for piece in range(20)]
