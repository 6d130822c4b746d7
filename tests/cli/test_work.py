"""Where an enumeration leaves its files, and what is left of a run whose enumeration fails."""

from pathlib import Path

import pytest

from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Spark, Work
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum import session
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds


@pytest.mark.parametrize(
    ("output", "keeps", "log", "parquet"),
    [
        (None, False, None, None),
        (None, True, None, None),
        (Path("run"), False, Path("run/spark.log"), None),
        (Path("run"), True, Path("run/spark.log"), Path("run/parquet")),
    ],
)
def test_files_are_in_the_run_directory_and_nowhere_else(output, keeps, log, parquet):
    spark = Spark("local[2]", Bounds(), "z3", output, keeps)
    assert (spark.log, spark.parquet) == (log, parquet)


class NoSpark:
    """A session that cannot be had."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __enter__(self) -> None:
        raise self._error

    def __exit__(self, *error: object) -> None:
        pass


JUDGED = (ClaimResult(select(["allocation.avg.disjoint"])[0], Verdict.PROVED, ""),)


@pytest.mark.parametrize(
    ("output", "error", "claims", "said"),
    [
        (None, UsageError("no master answers"), JUDGED, "no master answers"),
        (Path("run"), UsageError("no master answers"), JUDGED, "no master answers"),
        (None, ValueError("lost"), (), "Spark failed: lost"),
        (Path("run"), ValueError("lost"), (), "Spark failed: lost; see run/spark.log"),
        (Path("run"), ValueError("lost"), JUDGED, "Spark failed: lost; see run/spark.log"),
    ],
)
def test_an_enumeration_that_fails_leaves_what_was_proved_and_says_where_to_look(
    monkeypatch, capsys, output, error, claims, said
):
    monkeypatch.setattr(session, "spark_session", lambda master, log: NoSpark(error))
    with Reporter() as reporter:
        work = Work(reporter, claims=claims)
        work.enumerate([one.claim for one in JUDGED], Spark("local[2]", QUICK, "z3", output, False))
    assert work.unfinished.endswith(said)
    assert (work.claims, work.enumerated) == (claims, None)


def test_where_nothing_was_proved_a_wrong_master_is_a_wrong_call(monkeypatch):
    monkeypatch.setattr(session, "spark_session", lambda master, log: NoSpark(UsageError("no master answers")))
    with Reporter() as reporter, pytest.raises(UsageError, match="no master answers"):
        Work(reporter).enumerate([], Spark("local[2]", QUICK, "z3", None, False))
