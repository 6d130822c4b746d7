"""At each size: does the solver find a violation exactly where the concrete implementation has one?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation.search import first_violation, is_model
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.limit import within
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.spark_enum.results import AtSize

LIMIT = 20.0
"""Seconds for one question. At one size all divisors are numerals, and a question takes milliseconds."""

SCHEMA = "job int, consumers int, sizes int, disagreements int, first string, seconds double"
TYPES = {
    "job": pa.int32(),
    "consumers": pa.int32(),
    "sizes": pa.int32(),
    "disagreements": pa.int32(),
    "first": pa.string(),
    "seconds": pa.float64(),
}


@dataclass(frozen=True)
class Job:
    """One claim and the sizes to ask at."""

    claim: Claim
    max_consumers: int
    max_queues: int


def at_size(spark: SparkSession, jobs: Sequence[Job], solver: str = "z3") -> tuple[AtSize, ...]:
    """Asks ``solver`` in Spark's executors, and the concrete implementation beside it, at every size of every job."""
    if not jobs:
        return ()
    partitions = 4 * spark.sparkContext.defaultParallelism
    tasks = dealt(jobs, partitions)
    compared = F.arrow_udf(_worker(tuple(jobs), tasks, solver), SCHEMA).asNondeterministic()
    rows = spark.range(0, len(tasks), 1, partitions).select(compared("id").alias("row")).select("row.*")
    return added(jobs, [row.asDict() for row in rows.collect()])


def added(jobs: Sequence[Job], rows: Sequence[Mapping]) -> tuple[AtSize, ...]:
    """One record a job, from what was found for each of its numbers of consumers; a job without any is left out."""
    found = []
    for number, job in enumerate(jobs):
        own = sorted((row for row in rows if row["job"] == number), key=lambda row: row["consumers"])
        if own:
            found.append(
                AtSize(
                    claim=job.claim.id,
                    max_queues=job.max_queues,
                    max_consumers=job.max_consumers,
                    sizes=sum(row["sizes"] for row in own),
                    disagreements=sum(row["disagreements"] for row in own),
                    first_disagreement=next((row["first"] for row in own if row["first"]), ""),
                    seconds=sum(row["seconds"] for row in own),
                )
            )
    return tuple(found)


def compare(job: Job, n: int, solver: str) -> tuple[int, list[str], float]:
    """For n consumers: sizes compared, disagreements in words, and the seconds that the solver took.

    Where products or quotients are named in the text, a model that is none with the real ones says nothing.
    """
    claim = job.claim
    with within(f"{claim.id}: writing the text about {n} consumers"):
        group = claim.world.symbolic(claim.encodings, n)
        text = texts.violation_at(claim.id, claim.guarantee, claim.world, group)
    sizes = range(1, job.max_queues + 1)
    start = perf_counter()
    said = SOLVERS[solver].solve_all([texts.at(text, q) for q in sizes], seconds=LIMIT)
    seconds = perf_counter() - start
    exact = texts.exact(text)
    disagreements = []
    for q, (outcome, model, reason) in zip(sizes, said, strict=True):
        with within(f"{claim.id}: going through the groups of {n} consumers and {q} queues"):
            concrete = first_violation(claim.guarantee, claim.world, claim.subjects, n, q)
        if outcome is Outcome.SAT and not concrete and not exact and not is_model(claim.guarantee, group, model):
            continue
        if outcome is not (Outcome.SAT if concrete else Outcome.UNSAT):
            sentence = concrete.sentence if concrete else "no violation"
            answer = f"{outcome} ({reason})" if reason else outcome
            disagreements.append(f"{n} consumers, {q} queues: {solver} says {answer}, concrete: {sentence}")
    return len(sizes), disagreements, seconds


def dealt(jobs: Sequence[Job], partitions: int) -> list[tuple[int, int]]:
    """Every (number of a job, number of consumers), so ordered that each partition has its part of the large ones."""
    tasks = [(number, n) for number, job in enumerate(jobs) for n in range(1, job.max_consumers + 1)]
    tasks.sort(key=lambda task: task[1])
    return [task for first in range(partitions) for task in tasks[first::partitions]]


def _worker(
    jobs: tuple[Job, ...], tasks: Sequence[tuple[int, int]], solver: str
) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    def work(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for batch in batches:
            yield pa.array(
                [row_of(jobs, *tasks[int(code)], solver) for code in batch.to_pylist()], pa.struct(TYPES.items())
            )

    return work


def row_of(jobs: Sequence[Job], number: int, n: int, solver: str) -> dict:
    """What is found for n consumers of the job with that number, as a row of ``SCHEMA``."""
    sizes, disagreements, seconds = compare(jobs[number], n, solver)
    return {
        "job": number,
        "consumers": n,
        "sizes": sizes,
        "disagreements": len(disagreements),
        "first": disagreements[0] if disagreements else None,
        "seconds": seconds,
    }
