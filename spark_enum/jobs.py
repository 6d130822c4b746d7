"""Work that Spark's executors share: pieces that are named by numbers, and what each of them finds."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rebalance_proofs.proofs.limit import within

TASKS = 4
"""Tasks a core, unless told: pieces differ in what they cost, and the last task is waited for."""

Work = Callable[[int], Any]
"""What is to be done for a piece's number; it holds no terms, and neither does what it finds."""


Codes = TypeVar("Codes", Sequence[int], np.ndarray)


def run(spark: SparkSession, work: Work, pieces: int, partitions: int | None = None) -> Iterator[tuple[int, Any]]:
    """Does the pieces 0 .. ``pieces`` - 1 in one job: number and finding of each, in no order.

    ``partitions`` is how many tasks they are cut into; that changes nothing of what is found.
    """
    enough = min(TASKS * spark.sparkContext.defaultParallelism, pieces)
    # An Arrow UDF, because PySpark's mapInArrow does not start without pandas. Not deterministic by its mark only.
    found = F.arrow_udf(_worker(cloudpickle.dumps(work)), "binary").asNondeterministic()
    rows = spark.range(0, pieces, 1, partitions or enough).select("id", found("id").alias("found"))
    return ((row["id"], pickle.loads(row["found"])) for row in rows.collect())


def cut(codes: Codes, length: int) -> Iterator[Codes]:
    """Consecutive parts of that length; the last may be shorter."""
    return (codes[begin : begin + length] for begin in range(0, len(codes), length))


@lru_cache(maxsize=4)
def load(pickled: bytes) -> Any:
    """What was sent to the executors: the same object for all tasks of a process, so that kernels are compiled once."""
    return cloudpickle.loads(pickled)


def _worker(pickled: bytes) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def work(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        do = load(pickled)
        for batch in batches:
            yield pa.array([pickle.dumps(_done(do, number)) for number in batch.to_pylist()], pa.binary())

    return work


def _done(do: Work, piece: int) -> Any:
    with within(f"piece {piece} of what the executors share"):
        return do(piece)
