"""Run several checks as one Spark job.

The checks' pieces of work are numbered consecutively, and the executors' totals are added.
"""

import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from pyspark import TaskContext, cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import ArrowUDFType
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import ArrayType

from rebalance_proofs.model.machine.run import Schedule
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.spark_enum.check import Check, Rows, Tables
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Totals, Wrong

# Comparison of explored runs with claims that a run of actions can violate.


def explored_against(
    kind: str,
    explored: Callable[[Claim], Schedule | None],
    comes: str,
    never: Callable[[Claim], str],
    sought: Callable[[Claim], bool],
) -> Callable[[Claim, Enumerated, ClaimResult | None], list[str]]:
    """Return a function that lists contradictions between explored runs and a claim's verdict.

    It applies if the check ``kind`` was made. ``explored(claim)`` is the shortest run of the client that violates the
    claim, or None. ``comes`` and ``never(claim)`` are the sentences for an existing and for a missing run, without the
    number of actions. ``sought(claim)`` is true if a run is searched for at all.
    """

    def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
        if not sought(claim) or not enumerated.of(kind):
            return []
        known = result.explored if result else None
        schedule = explored(claim) if known is None else known
        if claim.expected is Verdict.PROVED and schedule:
            return [f"{comes} in {len(schedule)} actions"]
        if claim.expected is Verdict.REFUTED and not schedule:
            return [f"expected to fail, but {never(claim)}"]
        return []

    return against


# Transport of totals from Spark's executors to the driver, as columns, not pickled objects.


def _named(kind: pa.DataType) -> pa.DataType:
    """Return an Arrow type for a mapping from names to values.

    It is a list of pairs, because Spark returns maps in another order.
    """
    return pa.list_(pa.struct({"name": pa.string(), "value": kind}.items()))


NUMBERS = pa.list_(pa.int64())
COUNTS = _named(pa.int64())
WRONG = pa.struct({"size": NUMBERS, "digits": NUMBERS, "sentence": pa.string()}.items())
COLUMNS = {
    "counted": pa.int64(),
    "digest": pa.string(),  # hexadecimal, because Spark has no unsigned integers
    "differing": pa.int64(),
    "first": WRONG,
    "broken": COUNTS,
    "smallest": _named(WRONG),
    "numbers": COUNTS,
    "kept": _named(NUMBERS),
    "seconds": pa.float64(),
}
"""The fields of ``Totals`` and their Arrow types, except the field ``parts``."""
TOTALS = pa.struct({"check": pa.int32(), "part": pa.string(), **COLUMNS}.items())
"""Arrow type of a row: the totals of a check, or of one of its parts."""


def to_rows(check: int, totals: Totals) -> list[dict[str, Any]]:
    """Return a piece's totals as rows of type ``TOTALS``; ``check`` is the number of its check."""
    return [
        {"check": check, "part": part, **{name: _column(getattr(found, name)) for name in COLUMNS}}
        | {"digest": f"{found.digest:x}"}
        for part, found in (("", totals), *totals.parts.items())
    ]


def from_row(row: Mapping[str, Any]) -> tuple[int, Totals]:
    """Return the number of the check, and the totals, from a row of type ``TOTALS``."""
    named = {
        name: {one["name"]: one["value"] for one in row[name]} for name in ("broken", "smallest", "numbers", "kept")
    }
    found = Totals(
        counted=row["counted"],
        digest=int(row["digest"], 16),
        differing=row["differing"],
        first=_wrong(row["first"]) if row["first"] else None,
        broken=Counter(named["broken"]),
        smallest={name: _wrong(case) for name, case in named["smallest"].items()},
        numbers=Counter(named["numbers"]),
        kept={name: tuple(numbers) for name, numbers in named["kept"].items()},
        seconds=row["seconds"],
    )
    return row["check"], Totals(parts={row["part"]: found}) if row["part"] else found


def _column(value: Any) -> Any:
    if isinstance(value, Wrong):
        return vars(value)
    if isinstance(value, Mapping):
        return [{"name": name, "value": _column(one)} for name, one in value.items()]
    return value


def _wrong(case: Mapping[str, Any]) -> Wrong:
    return Wrong(tuple(case["size"]), tuple(case["digits"]), case["sentence"])


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
