"""The enumeration of a space on Spark."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from model.allocation.strategy import subject
from spark_enum.check import Check, Checked
from spark_enum.results import Enumeration, Violation
from spark_enum.space import Space

CHUNK = 256
"""Groups that are checked in one call: enough for NumPy, little enough for memory."""


def sweep(
    spark: SparkSession, space: Space, check: Check, partitions: int | None = None, parquet: Path | None = None
) -> Enumeration:
    """Computes and checks every group of ``space`` (one result for each of its consumers).

    ``partitions`` is how many tasks the work is cut into (up to 4 a core unless told); the result is the same.
    ``parquet`` names a directory for the whole table, one row a group.
    """
    start = perf_counter()
    rows = table(spark, space, check, partitions)
    if parquet:
        rows.write.mode("overwrite").parquet(str(parquet))
        rows = spark.read.parquet(str(parquet))
    names = [guarantee.name for guarantee in check.guarantees]
    total = rows.agg(*_totals(names)).first()
    smallest = {name: _violation(total[f"smallest_{name}"]) for name in names if total[f"smallest_{name}"]}
    return Enumeration(
        premise=space.premise.name,
        dropped=space.premise.dropped,
        subject=subject(check.strategies),
        max_queues=space.max_queues,
        max_consumers=space.max_consumers,
        groups=total["groups"],
        expected_groups=space.groups,
        results=total["results"] or 0,
        positions=total["positions"] or 0,
        digest=f"{int(total['digest'] or 0) % 2**64:016x}",
        mismatches=total["mismatches"],
        first_mismatch=_first_mismatch(total["first_mismatch"]),
        violations={name: total[f"violations_{name}"] for name in names},
        smallest=smallest,
        seconds=perf_counter() - start,
    )


def table(spark: SparkSession, space: Space, check: Check, partitions: int | None = None) -> DataFrame:
    """One row a group; nothing is computed before Spark is asked for a result."""
    enough = min(4 * spark.sparkContext.defaultParallelism, -(-space.codes // CHUNK))
    codes = spark.range(0, space.codes, 1, partitions or enough)
    # An Arrow UDF, because PySpark's mapInArrow does not start without pandas. Not deterministic by its mark only: so
    # that Spark's optimizer does not evaluate it once for each column that is read from it.
    checked = F.arrow_udf(_worker(space, check), row_schema(check)).asNondeterministic()
    return codes.select(checked("id").alias("row")).where("row is not null").select("row.*")


def row_schema(check: Check) -> str:
    """The table's columns, as Spark writes a schema."""
    violations = "".join(f", {guarantee.name} string" for guarantee in check.guarantees)
    return f"consumers int, queues int, digits array<int>, positions bigint, digest bigint, mismatch string{violations}"


def _worker(space: Space, check: Check) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def work(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for batch in batches:
            codes = batch.to_pylist()
            chunks = [codes[begin : begin + CHUNK] for begin in range(0, len(codes), CHUNK)]
            yield pa.concat_arrays([to_arrow(check_codes(space, check, chunk), check) for chunk in chunks])

    return work


def check_codes(space: Space, check: Check, codes: list[int]) -> list[Checked | None]:
    """For each code its group, checked; None for a code that names none."""
    decoded = [space.decode(code) for code in codes]
    checked = check([found for found in decoded if found is not None])
    return [None if found is None else next(checked) for found in decoded]


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


def _totals(guarantees: list[str]):
    group = ["consumers", "queues", "digits"]
    yield F.count("*").alias("groups")
    yield F.sum("consumers").alias("results")
    yield F.sum("positions").alias("positions")
    yield F.sum(F.col("digest").cast("decimal(38,0)")).alias("digest")
    yield F.count("mismatch").alias("mismatches")
    yield F.min(F.when(F.col("mismatch").isNotNull(), F.struct(*group, "mismatch"))).alias("first_mismatch")
    for name in guarantees:
        yield F.count(name).alias(f"violations_{name}")
        found = F.struct(*group, F.col(name).alias("sentence"))
        yield F.min(F.when(F.col(name).isNotNull(), found)).alias(f"smallest_{name}")


def _violation(row) -> Violation:
    return Violation(row["consumers"], row["queues"], tuple(row["digits"]), row["sentence"])


def _first_mismatch(row) -> str:
    if row is None:
        return ""
    return f"{row['consumers']} consumers, {row['queues']} queues, digits {list(row['digits'])}: {row['mismatch']}"
