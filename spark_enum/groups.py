"""Recordings of groups held against the machines, many at once: a recording is a task."""

from collections.abc import Sequence

from pyspark.sql import SparkSession

from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.scenarios import Found, Scenario, judged, told
from rebalance_proofs.recorded.groups.error import RecordingError

__all__ = ["on_spark"]


def on_spark(spark: SparkSession, asked: Sequence[Scenario], found: Found) -> list[Verdict]:
    """The verdicts, in order, in one Spark job. Executors read the recordings where they are. Raises
    ``RecordingError``."""
    answers: list[Verdict | RecordingError] = (
        spark.sparkContext.parallelize(list(asked), len(asked)).map(_answer).collect()
    )
    verdicts: list[Verdict] = []
    for answer in answers:
        if isinstance(answer, RecordingError):
            raise answer
        verdicts.append(told(answer, found))
    return verdicts


def _answer(scenario: Scenario) -> Verdict | RecordingError:
    try:
        return judged(scenario)
    except RecordingError as error:
        return error
