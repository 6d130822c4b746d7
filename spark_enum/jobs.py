"""Run several checks as one Spark job.

The checks' pieces of work are numbered consecutively, and the executors' totals are added.
"""

import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from time import perf_counter
from typing import TypeVar

import numpy as np
import pyarrow as pa
from pyspark import TaskContext, cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import ArrowUDFType
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import ArrayType

from rebalance_proofs.proofs.limit import within
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.rows import Rows, Tables
from rebalance_proofs.spark_enum.totals import Totals
from rebalance_proofs.spark_enum.transport import TOTALS, from_row, to_rows

Codes = TypeVar("Codes", np.ndarray, Sequence[int])

TASKS = 16
"""Default number of tasks per core.

There are several, because pieces differ in cost, and the job waits for the last task.
"""

SENT = pa.list_(TOTALS)
"""Arrow type of the rows that a piece returns."""


@dataclass(frozen=True)
class Work:
    """Several checks in one job; their pieces of work are numbered consecutively."""

    checks: tuple[Check, ...]

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """For each check, the number of the first piece after its own pieces."""
        return tuple(accumulate(check.pieces for check in self.checks))

    def __call__(self, piece: int, rows: Rows | None = None) -> tuple[int, Totals]:
        """Do one piece of work. Return the index of its check, and the totals of the piece.

        ``rows``, if given, receives a row for each case.
        """
        number = bisect_right(self.ends, piece)
        start = perf_counter()
        with within(f"piece {piece} of the shared work"), paused():
            check = self.checks[number]
            keep = rows.of(check.kind, check.name, check.subject, check.setting) if rows else None
            totals = check(piece - (self.ends[number - 1] if number else 0), keep)
        totals.seconds = perf_counter() - start
        for part in totals.parts.values():
            part.seconds = totals.seconds / len(totals.parts)
        return number, totals


def run(
    spark: SparkSession, checks: Sequence[Check], partitions: int | None = None, tables: Tables | None = None
) -> list[Totals]:
    """Run the checks in one Spark job, and return the totals of each check.

    Each check's totals include its share of the job's time. ``partitions`` is the number of tasks, which does not
    change the results. With ``tables``, the tasks write a row for each case.
    """
    start = perf_counter()
    work = Work(tuple(checks))
    found = _collected(spark, work, partitions, tables) if any(check.pieces for check in checks) else ()
    if tables:
        tables.tidy()
    return added(checks, found, perf_counter() - start)


def here(checks: Sequence[Check]) -> list[Totals]:
    """Run the checks in this process, without Spark, and return the totals of each check."""
    work = Work(tuple(checks))
    return added(checks, map(work, range(work.ends[-1] if checks else 0)))


def added(checks: Sequence[Check], found: Iterable[tuple[int, Totals]], seconds: float | None = None) -> list[Totals]:
    """Add the totals of the pieces ``found``, and return the totals of each check.

    The job's time ``seconds`` is divided among the checks in proportion to the workers' time.
    """
    totals = [Totals() for _ in checks]
    for number, part in found:
        totals[number].merge(part)
    spent = sum(one.seconds for one in totals)
    share = seconds / spent if seconds and spent else 1.0
    for one in totals:
        for part in (one, *one.parts.values()):
            part.seconds *= share
    return totals


def findings(checks: Sequence[Check], totals: Sequence[Totals]) -> tuple[Finding, ...]:
    """Return the finding of each check, from its totals."""
    return tuple(check.finding(found) for check, found in zip(checks, totals, strict=True))


def cut(codes: Codes, length: int) -> Iterator[Codes]:
    """Yield consecutive parts of length ``length``; the last may be shorter."""
    return (codes[begin : begin + length] for begin in range(0, len(codes), length))


def _collected(
    spark: SparkSession, work: Work, partitions: int | None, tables: Tables | None
) -> Iterator[tuple[int, Totals]]:
    pieces = work.ends[-1]
    enough = min(TASKS * spark.sparkContext.defaultParallelism, pieces)
    # An Arrow UDF, because PySpark's mapInArrow does not start without pandas. It is marked as nondeterministic only so
    # that Spark's optimizer does not evaluate it once per column.
    sent = from_arrow_type(SENT)
    assert isinstance(sent, ArrayType)
    worker = _worker(cloudpickle.dumps(work), tables)
    with warnings.catch_warnings():
        # PySpark warns that it could infer the type from the hints, but its own type stubs require it.
        warnings.simplefilter("ignore", UserWarning)
        do = F.arrow_udf(worker, sent, ArrowUDFType.SCALAR_ITER).asNondeterministic()
    rows = spark.range(0, pieces, 1, partitions or enough).select(do("id").alias("found"))
    return (from_row(one) for row in rows.collect() for one in row["found"])


@lru_cache(maxsize=4)
def load(pickled: bytes) -> Work:
    """Return the unpickled work; all tasks of a process share one object.

    Therefore each process compiles the formulas only once.
    """
    work: Work = cloudpickle.loads(pickled)
    return work


def _worker(pickled: bytes, tables: Tables | None) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def do(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        work, task = load(pickled), TaskContext.get()
        assert task is not None
        with Rows.written(tables, task.partitionId()) as rows:
            for batch in batches:
                yield pa.array([to_rows(*work(piece, rows)) for piece in batch.to_pylist()], SENT)

    return do
