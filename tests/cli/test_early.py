"""Spark starts in parallel while claims are judged."""

import importlib
import os
import signal
from contextlib import contextmanager
from time import sleep

import pytest

from rebalance_proofs.cli.work import Early
from rebalance_proofs.proofs.errors import UsageError
from tests.cli.process import left, started, until

session = importlib.import_module("rebalance_proofs.spark_enum.session")

JUDGING = """
import asyncio, time
from rebalance_proofs.cli import work
async def prove(claims, options, keep, spare):
    spare()
    print("spare", flush=True)
    await asyncio.sleep(SECONDS)
    return []
work.prove = prove
from rebalance_proofs.__main__ import main
main()
"""
WORDS = ("verify", "--quick", "--no-vectors", "settling.java_v5_2_to_v5_3.alone", "--output")


@pytest.fixture
def sessions(monkeypatch):
    """What is done with sessions, as words."""
    done = []

    @contextmanager
    def some(master, log):
        done.append(f"starts at {master}, says so in {log}")
        yield "the session"
        done.append("stops")

    monkeypatch.setattr(session, "spark_session", some)
    return done


STARTS = "starts at local[3], says so in spark.log"


@pytest.mark.parametrize("begins", [0, 1, 2])
def test_early_session_starts_once_and_stops_after_use(begins, sessions):
    with Early("local[3]", "spark.log") as early:
        for _ in range(begins):
            early.begin()
        with early.session() as found:
            assert found == "the session"
            assert sessions == [STARTS]
        assert sessions == [STARTS, "stops"]
    assert sessions == [STARTS, "stops"]


@pytest.mark.parametrize("begins", [0, 1])
def test_unused_early_session_is_stopped(begins, sessions):
    with Early("local[3]", "spark.log") as early:
        for _ in range(begins):
            early.begin()
    assert sessions == [STARTS, "stops"] * begins


@pytest.mark.parametrize("begins", [0, 1])
def test_early_session_failure_is_reported_at_its_use(begins, monkeypatch):
    @contextmanager
    def fails(master, log):
        raise UsageError("no master answers")
        yield

    monkeypatch.setattr(session, "spark_session", fails)
    with Early("local[3]", None) as early:
        for _ in range(begins):
            early.begin()
        with pytest.raises(UsageError, match="no master answers"), early.session():
            pass
    with Early("local[3]", None) as early:
        for _ in range(begins):
            early.begin()


def script(seconds: float) -> tuple[str, str]:
    """A command that judges claims for so long, and has a core to spare at once."""
    return ("-c", JUDGING.replace("SECONDS", str(seconds)))


@pytest.mark.spark
def test_early_session_logs_to_its_file_and_serves_the_enumeration(tmp_path):
    with started(*WORDS, str(tmp_path / "run"), python=script(1)) as process:
        out, err = process.communicate()
        assert not left(process.pid)
    assert not err
    assert "compared settling, 1 client" in out.partition("enumerating on local")[2]
    assert (tmp_path / "run" / "spark.log").read_text(encoding="utf-8").strip()


@pytest.mark.spark
@pytest.mark.parametrize(
    ("number", "send"),
    [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill)],
    ids=["a terminal interrupts all", "timeout ends the command alone"],
)
@pytest.mark.parametrize(
    "after", [0, pytest.param(1.5, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_run_ended_while_spark_starts_leaves_no_process(number, send, after, tmp_path):
    with started(*WORDS, str(tmp_path / "run"), python=script(600)) as process:
        until(process, "spare")
        sleep(after)
        send(process.pid, number)
        out, err = process.communicate()
        assert not left(process.pid)
    assert not err
    assert "INCOMPLETE" in out


@pytest.mark.spark
def test_run_killed_while_spark_starts_leaves_no_process(tmp_path):
    with started(*WORDS, str(tmp_path / "run"), python=script(600)) as process:
        until(process, "spare")
        process.kill()
        process.communicate()
        assert not left(process.pid)
