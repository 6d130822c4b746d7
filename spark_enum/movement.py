"""The cost of joins, enumerated on Spark: how many queues change hands, for all small numbers and all places."""

from collections.abc import Callable, Collection, Iterator, Sequence
from time import perf_counter

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from rebalance_proofs.spark_enum.jobs import cut
from rebalance_proofs.spark_enum.movement_counts import CASES, Case, count, decode, joins
from rebalance_proofs.spark_enum.movement_results import Cost, Movement

BOUND = (64, 64)
"""(consumers before the join, queues) unless the caller says otherwise."""

SHOWN = ((1, 8), (2, 3), (2, 8), (3, 4), (3, 8), (3, 16), (4, 8), (4, 16), (7, 8), (7, 16), (7, 64), (15, 64), (63, 64))
"""(consumers before the join, queues) of the costs that are shown."""

CHUNK = 2048
"""Joins that are counted in one call."""

SCHEMA = "consumers int, queues int, place int, moved int, exactly int, bound int, digest bigint"


def movement(
    spark: SparkSession,
    case: Case,
    bound: tuple[int, int] = BOUND,
    shown: Sequence[tuple[int, int]] = SHOWN,
    partitions: int | None = None,
) -> Movement:
    """Counts for every join what changes hands. ``partitions`` changes nothing but how the work is cut."""
    start = perf_counter()
    sizes = table(spark, case, bound, partitions).groupBy("consumers", "queues").agg(*_totals()).collect()
    costs = {(row["consumers"], row["queues"]): row for row in sizes}
    return Movement(
        strategy=case.strategy.name,
        max_queues=bound[1],
        max_consumers=bound[0],
        joins=sum(row["joins"] for row in sizes),
        expected_joins=joins(*bound),
        queues=sum(row["joins"] * row["queues"] for row in sizes),
        digest=f"{sum(int(row['digest']) for row in sizes) % 2**64:016x}",
        differing=sum(row["differing"] for row in sizes),
        beyond=sum(row["beyond"] for row in sizes),
        unattained=sum(row["worst"]["moved"] < row["bound"] for row in sizes),
        costs=tuple(_cost(costs[size]) for size in shown if size in costs),
        seconds=perf_counter() - start,
    )


def movements(
    spark: SparkSession, bound: tuple[int, int] = BOUND, strategies: Collection[str] | None = None
) -> tuple[Movement, ...]:
    """For every strategy whose movement is claimed in closed form, or those of them that are named."""
    return tuple(
        movement(spark, case, bound) for case in CASES if strategies is None or case.strategy.name in strategies
    )


def table(spark: SparkSession, case: Case, bound: tuple[int, int], partitions: int | None = None) -> DataFrame:
    """One row a join; nothing is computed before Spark is asked for a result."""
    codes = joins(*bound)
    enough = min(4 * spark.sparkContext.defaultParallelism, -(-codes // CHUNK))
    # Not deterministic by its mark only: Spark's optimizer is not to evaluate it once for each column read from it.
    counted = F.arrow_udf(_worker(case, bound), SCHEMA).asNondeterministic()
    return spark.range(0, codes, 1, partitions or enough).select(counted("id").alias("row")).select("row.*")


def _worker(case: Case, bound: tuple[int, int]) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def work(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for batch in batches:
            codes = batch.to_numpy(zero_copy_only=False)
            yield pa.concat_arrays([to_arrow(case, chunk, bound) for chunk in cut(codes, CHUNK)])

    return work


def to_arrow(case: Case, codes: np.ndarray, bound: tuple[int, int]) -> pa.StructArray:
    """Rows of ``SCHEMA`` for the joins that the codes name."""
    found = count(case, *decode(codes, *bound))
    columns = {name: pa.array(column, pa.int32()) for name, column in vars(found).items() if name != "digest"}
    columns["digest"] = pa.array(found.digest, pa.int64())
    return pa.StructArray.from_arrays(list(columns.values()), list(columns))


def _totals():
    yield F.count("*").alias("joins")
    yield F.sum(F.col("digest").cast("decimal(38,0)")).alias("digest")
    yield F.count_if(F.col("moved") != F.col("exactly")).alias("differing")
    yield F.count_if(F.col("moved") > F.col("bound")).alias("beyond")
    yield F.max("bound").alias("bound")
    yield F.max(F.struct("moved", (-F.col("place")).alias("back"))).alias("worst")
    yield F.min(F.struct("moved", "place")).alias("best")


def _cost(row: Row) -> Cost:
    return Cost(
        queues=row["queues"],
        consumers=row["consumers"],
        most=row["worst"]["moved"],
        most_at=-row["worst"]["back"],
        least=row["best"]["moved"],
        least_at=row["best"]["place"],
    )
