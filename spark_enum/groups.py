"""Check recordings of groups against the models in parallel: each recording is a Spark task."""

from collections.abc import Sequence

from pyspark.sql import SparkSession

from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.scenarios import Found, Scenario, judged, told
from rebalance_proofs.recorded.groups.record import RecordingError


def on_spark(spark: SparkSession, asked: Sequence[Scenario], found: Found) -> list[Verdict]:
    """Check the recordings in one Spark job, and return the verdicts in order.

    Executors read the recordings from their paths. Raises ``RecordingError``.
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
