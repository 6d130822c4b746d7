"""Where an enumeration writes its files, and which files remain if it fails."""

from importlib import import_module
from pathlib import Path

import pytest

from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Parts, Spark, Work
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.kinds import family
from rebalance_proofs.spark_enum import session
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds

module = import_module("rebalance_proofs.cli.work")


@pytest.mark.parametrize(
    ("output", "keeps", "log", "parquet"),
    [
        (None, False, None, None),
        (None, True, None, None),
        (Path("run"), False, Path("run/spark.log"), None),
        (Path("run"), True, Path("run/spark.log"), Path("run/parquet")),
    ],
)
def test_spark_files_are_in_the_run_directory(output, keeps, log, parquet):
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
def test_failed_enumeration_keeps_proofs_and_names_the_log(monkeypatch, capsys, output, error, claims, said):
    monkeypatch.setattr(session, "spark_session", lambda master, log: NoSpark(error))
    with Reporter() as reporter:
        work = Work(reporter, claims=claims)
        work.enumerate([one.claim for one in JUDGED], Spark("local[2]", QUICK, "z3", output, False))
    assert work.unfinished.endswith(said)
    assert (work.claims, work.enumerated) == (claims, None)


def test_invalid_master_without_proofs_is_an_invalid_call(monkeypatch):
    monkeypatch.setattr(session, "spark_session", lambda master, log: NoSpark(UsageError("no master answers")))
    with Reporter() as reporter, pytest.raises(UsageError, match="no master answers"):
        Work(reporter).enumerate([], Spark("local[2]", QUICK, "z3", None, False))


WRONG = "settling.java_v5_2_to_v5_3.settles"
CLAIMS = tuple(select([name])[0] for name in ("allocation.avg.disjoint", WRONG, "allocation.circle.contiguous"))
AVG, SETTLES, CONTIGUOUS = (family(claim).title for claim in CLAIMS)


@pytest.fixture
def judged(monkeypatch):
    """Function that has those claims judged, one of which comes out as UNKNOWN; the work, and what is said."""
    monkeypatch.setattr(module, "awaited", lambda work: work())
    monkeypatch.setattr(module, "known", lambda baseline, result: result.claim.id in baseline)

    def prove(claims, options, keep, spare):
        for claim in claims:
            keep(ClaimResult(claim, Verdict.UNKNOWN if claim.id == WRONG else claim.expected, ""))

    monkeypatch.setattr(module, "prove", prove)

    def run(capsys, **more):
        with Reporter() as reporter:
            work = Work(reporter, **more)
            work.prove(CLAIMS, Options())
        return work, capsys.readouterr().out.splitlines()

    return run


def test_family_line_is_printed_after_its_last_claim(judged, capsys):
    work, lines = judged(capsys, verbose=False)
    assert AVG == CONTIGUOUS != SETTLES
    assert lines == [
        "proving 3 claims ...",
        f"BAD {WRONG}: expected PROVED, is UNKNOWN.",
        f"BAD {SETTLES}: 1 claim: 1 UNKNOWN; 1 not as expected",
        f"ok  {AVG}: 2 claims: 1 PROVED, 1 REFUTED",
    ]
    assert [result.claim for result in work.claims] == list(CLAIMS)


@pytest.mark.parametrize(("earlier", "mark"), [(None, "BAD"), ((), "BAD"), ((WRONG,), "known")])
def test_failures_of_the_baseline_are_marked_as_known(judged, capsys, earlier, mark):
    work, lines = judged(capsys, verbose=True, baseline=earlier)
    first, last = (claim for claim in CLAIMS if claim.id != WRONG)
    assert lines[1:] == [
        f"ok  PROVED   {first.id}",
        f"{mark} {WRONG}: expected PROVED, is UNKNOWN.",
        f"ok  REFUTED  {last.id}",
    ]
    assert work.told == {f"{WRONG}: expected PROVED, is UNKNOWN."}


def test_record_contains_all_results():
    with Reporter() as reporter:
        parts = Work(reporter).parts
    assert {*parts} == {*Parts.__annotations__} - {"left_out"}
