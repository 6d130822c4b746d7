"""A space as a table with a row a group, for those who want to look at every result."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rebalance_proofs.spark_enum.check import CHUNK, Check, Checked, check_codes
from rebalance_proofs.spark_enum.jobs import cut
from rebalance_proofs.spark_enum.space import Space


def write_table(spark: SparkSession, space: Space, check: Check, directory: Path) -> None:
    """Writes it as Parquet, over what was there."""
    table(spark, space, check).write.mode("overwrite").parquet(str(directory))


def table(spark: SparkSession, space: Space, check: Check) -> DataFrame:
    """One row a group; nothing is computed before Spark is asked for a result."""
    partitions = min(4 * spark.sparkContext.defaultParallelism, -(-space.codes // CHUNK))
    codes = spark.range(0, space.codes, 1, partitions)
    # Not deterministic by its mark only: so that Spark's optimizer does not evaluate it once for each column.
    checked = F.arrow_udf(_worker(space, check), row_schema(check)).asNondeterministic()
    return codes.select(checked("id").alias("row")).where("row is not null").select("row.*")


def row_schema(check: Check) -> str:
    """The table's columns, as Spark writes a schema."""
    violations = "".join(f", `{guarantee.name}` string" for guarantee in check.guarantees)
    return f"consumers int, queues int, digits array<int>, positions bigint, digest bigint, mismatch string{violations}"


def _worker(space: Space, check: Check) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def work(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for batch in batches:
            codes = batch.to_pylist()
            yield pa.concat_arrays([to_arrow(check_codes(space, check, chunk), check) for chunk in cut(codes, CHUNK)])

    return work


def to_arrow(checked: list[Checked | None], check: Check) -> pa.StructArray:
    """Rows of ``row_schema``."""
    types = {
        "consumers": pa.int32(),
        "queues": pa.int32(),
        "digits": pa.list_(pa.int32()),
        "positions": pa.int64(),
        "digest": pa.int64(),
        "mismatch": pa.string(),
    } | {guarantee.name: pa.string() for guarantee in check.guarantees}
    return pa.array([None if row is None else _row(row, check) for row in checked], pa.struct(types.items()))


def _row(row: Checked, check: Check) -> dict:
    found = row.configuration
    violations = {guarantee.name: said for guarantee, said in zip(check.guarantees, row.violations, strict=True)}
    return {
        "consumers": found.consumers,
        "queues": found.queues,
        "digits": found.values,
        "positions": row.positions,
        "digest": row.digest,
        "mismatch": row.mismatch,
    } | violations
