"""Check recordings of groups against the machines in parallel: each recording is a task."""

from collections.abc import Sequence

from pyspark.sql import SparkSession

from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.scenarios import Found, Scenario, judged, told
from rebalance_proofs.recorded.groups.error import RecordingError

__all__ = ["on_spark"]


def on_spark(spark: SparkSession, asked: Sequence[Scenario], found: Found) -> list[Verdict]:
    """Return the verdicts in order, computed in one Spark job.

    Executors read the recordings from the path where they are. Raises ``RecordingError``.
    """
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
