"""The enumeration of spaces on Spark, many of them in one job."""

import pickle
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from time import perf_counter

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.spark_enum.check import CHUNK, Check, check_codes
from rebalance_proofs.spark_enum.jobs import cut, load
from rebalance_proofs.spark_enum.places import Places
from rebalance_proofs.spark_enum.results import Enumeration, Violation
from rebalance_proofs.spark_enum.space import Space
from rebalance_proofs.spark_enum.totals import Totals

TASKS = 16
"""Tasks a core, unless told: groups differ in what they cost, and the last task is waited for."""

SMALL = 64 * 64
"""Queues times consumers of the largest group, up to which a whole chunk takes a small part of the time limit."""
FEW = 16
"""So many larger groups are given the time of one limit: with 512 queues and consumers they take two seconds."""

SCHEMA = "array<struct<number: int, seconds: double, totals: binary>>"
PART = pa.struct({"number": pa.int32(), "seconds": pa.float64(), "totals": pa.binary()}.items())


@dataclass(frozen=True)
class Work:
    """Spaces to sweep, with what is checked of their groups. Their codes are laid end to end."""

    sweeps: tuple[tuple[Space, Check], ...]

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Where the codes of each space end."""
        return tuple(accumulate(space.codes for space, _ in self.sweeps))

    @cached_property
    def places(self) -> tuple[Places, ...]:
        """For each space, which numbers its groups ought to have."""
        return tuple(Places(check.world, space.max_queues) for space, check in self.sweeps)

    def parts(self, codes: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Ascending codes, divided among the spaces: (number of the space, codes in that space)."""
        begin = 0
        while begin < len(codes):
            number = bisect_right(self.ends, codes[begin])
            before = self.ends[number - 1] if number else 0
            end = begin + CHUNK
            inside = [code - before for code in codes[begin:end] if code < self.ends[number]]
            yield number, inside
            begin += len(inside)


def sweep(spark: SparkSession, space: Space, check: Check, partitions: int | None = None) -> Enumeration:
    """``sweeps`` of a single space."""
    return sweeps(spark, [(space, check)], partitions)[0]


def sweeps(
    spark: SparkSession, spaces: Sequence[tuple[Space, Check]], partitions: int | None = None
) -> tuple[Enumeration, ...]:
    """Computes and checks every group of every space (one result for each consumer of a group), in one Spark job.

    ``partitions`` is how many tasks the work is cut into; the result is the same.
    """
    start = perf_counter()
    work = Work(tuple(spaces))
    codes = work.ends[-1]
    enough = min(TASKS * spark.sparkContext.defaultParallelism, -(-codes // CHUNK))
    # An Arrow UDF, because PySpark's mapInArrow does not start without pandas.
    part = F.arrow_udf(_worker(cloudpickle.dumps(work)), SCHEMA).asNondeterministic()
    rows = spark.range(0, codes, 1, partitions or enough).select(part("id").alias("parts")).where("parts is not null")
    totals, seconds = merged(work, (part for row in rows.collect() for part in row["parts"]))
    # the time of the job, shared out by the time that the workers took for each space
    share = (perf_counter() - start) / (sum(seconds) or 1.0)
    return tuple(
        enumeration(space, check, found, spent * share)
        for (space, check), found, spent in zip(work.sweeps, totals, seconds, strict=True)
    )


def merged(work: Work, parts: Iterable[Mapping]) -> tuple[list[Totals], list[float]]:
    """What ``checked_parts`` found, space by space, and the seconds that the workers took."""
    totals = [Totals(len(check.guarantees)) for _, check in work.sweeps]
    seconds = [0.0] * len(totals)
    for found in parts:
        totals[found["number"]].merge(pickle.loads(found["totals"]))
        seconds[found["number"]] += found["seconds"]
    return totals, seconds


def enumeration(space: Space, check: Check, totals: Totals, seconds: float) -> Enumeration:
    """The record of one space."""
    names = [guarantee.name for guarantee in check.guarantees]
    return Enumeration(
        world=space.world.name,
        dropped=space.world.dropped,
        subject=subject(check.subjects),
        max_queues=space.max_queues,
        max_consumers=space.max_consumers,
        groups=totals.groups,
        expected_groups=space.groups,
        results=totals.results,
        positions=totals.positions,
        digest=f"{totals.digest:016x}",
        mismatches=totals.mismatches,
        first_mismatch=_said(totals.first_mismatch),
        violations=dict(zip(names, totals.violations, strict=True)),
        smallest={name: found for name, found in zip(names, totals.smallest, strict=True) if found},
        seconds=seconds,
        code_sum=totals.code_sum,
        at_place=totals.at_place,
    )


def _said(found: Violation | None) -> str:
    if found is None:
        return ""
    return f"{found.consumers} consumers, {found.queues} queues, digits {list(found.values)}: {found.sentence}"


def _worker(pickled: bytes) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def work(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        sweeps = load(pickled)
        for batch in batches:
            # one row a code is expected: the first holds everything
            yield pa.array([checked_parts(sweeps, batch.to_pylist()), *[None] * (len(batch) - 1)], pa.list_(PART))

    return work


def checked_parts(work: Work, codes: Sequence[int]) -> list[dict]:
    """Checks the groups that ascending codes name: for each space that has some of them, what is known of these."""
    places = work.places
    found: dict[int, tuple[Totals, float]] = {}
    for number, inside in work.parts(codes):
        start = perf_counter()
        space, check = work.sweeps[number]
        totals, spent = found.get(number, (Totals(len(check.guarantees)), 0.0))
        large = space.max_queues * space.max_consumers > SMALL
        checked = []
        for some in cut(inside, FEW if large else CHUNK):
            with within(f"going through {len(some)} groups of {subject(check.subjects)}"):
                checked += check_codes(space, check, some)
        totals.place(inside, checked, places[number])
        totals.add(one for one in checked if one is not None)
        found[number] = totals, spent + perf_counter() - start
    return [
        {"number": number, "seconds": spent, "totals": pickle.dumps(totals)}
        for number, (totals, spent) in found.items()
    ]
