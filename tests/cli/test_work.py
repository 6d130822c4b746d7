"""Where an enumeration leaves its files."""

from pathlib import Path

import pytest

from rebalance_proofs.cli.work import Spark
from rebalance_proofs.spark_enum.bounds import Bounds


@pytest.mark.parametrize(
    ("output", "keeps", "log", "parquet"),
    [
        (None, False, None, None),
        (None, True, None, None),
        (Path("run"), False, Path("run/spark.log"), None),
        (Path("run"), True, Path("run/spark.log"), Path("run/parquet")),
    ],
)
def test_files_are_in_the_run_directory_and_nowhere_else(output, keeps, log, parquet):
    spark = Spark("local[2]", Bounds(), "z3", output, keeps)
    assert (spark.log, spark.parquet) == (log, parquet)
