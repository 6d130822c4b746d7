"""SIGTERM and SIGHUP work like Ctrl-C; none of them ends in a stack trace, whenever it comes."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.cli.process import ABOUT_NODE, STANDARD, left, started, until

SLOW_REPORT = """
import time
from rebalance_proofs.report.results import directory
write = directory.write
def slowly(*what):
    print("writing", flush=True)
    time.sleep(1)
    write(*what)
directory.write = slowly
from rebalance_proofs.__main__ import main
main()
"""
LOADING = """
import signal, time
print("loading", signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, flush=True)
for _ in range(6_000):  # a signal that comes just before a sleep waits until it ends
    time.sleep(0.1)
"""


@pytest.fixture
def loading(tmp_path: Path) -> Path:
    """A folder with a library that takes long to import."""
    (tmp_path / "click.py").write_text(LOADING, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("number", "send", "status"),
    [(signal.SIGTERM, os.kill, 143), (signal.SIGHUP, os.killpg, 129)],
    ids=["timeout ends the command alone", "a terminal hangs up on all"],
)
def test_signal_while_proving_keeps_results(number, send, status, tmp_path):
    output = tmp_path / "run"
    called = ("prove", ABOUT_NODE, "--output", str(output))
    with started(*called, python=("-c", SLOW_REPORT)) as process:
        until(process, "ok ")
        send(process.pid, number)
        until(process, "writing")
        for impatient in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            send(process.pid, impatient)
        rest, err = process.communicate()
        assert not left(process.pid)
    assert process.returncode == status
    assert not err
    assert "INCOMPLETE" in rest
    assert f"ended by {number.name} after" in rest
    results = json.loads((output / "results.json").read_text(encoding="utf-8"))
    assert results["complete"] is False
    assert results["unfinished"].startswith(f"ended by {number.name} after ")


@pytest.mark.spark
@pytest.mark.parametrize("send", [os.kill, pytest.param(os.killpg, marks=pytest.mark.slow)])
def test_signal_while_enumerating_keeps_results(send, tmp_path):
    called = ("enumerate", "allocation.avg.shares", "allocation.circle.shares", "--queues", "8", "--consumers", "8")
    with started(*called, "--output", str(tmp_path / "run")) as process:
        until(process, "swept ")
        send(process.pid, signal.SIGHUP)
        rest, err = process.communicate()
        assert not left(process.pid)
    assert process.returncode == 129
    assert not err
    assert "INCOMPLETE" in rest
    results = json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    assert results["unfinished"] == "ended by SIGHUP while enumerating"


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [
        (signal.SIGINT, 2, "interrupted"),
        (signal.SIGTERM, 143, "ended by SIGTERM"),
        (signal.SIGHUP, 129, "ended by SIGHUP"),
    ],
)
def test_signal_while_loading_prints_one_word(number, status, said, loading):
    with started("list", path=[loading]) as process:
        until(process, "loading False")
        os.killpg(process.pid, number)
        rest, err = process.communicate()
    assert (process.returncode, rest, err) == (status, "", f"rebalance: {said}\n")


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_two_signals_while_loading_print_one_word(second, loading):
    with started("list", path=[loading]) as process:
        until(process, "loading False")
        os.killpg(process.pid, signal.SIGINT)
        os.killpg(process.pid, second)
        rest, err = process.communicate()
    first = (2, "", "rebalance: interrupted\n")  # of two that are there at once the lower number comes first
    assert (process.returncode, rest, err) in (first, (129, "", "rebalance: ended by SIGHUP\n"))


def test_waiting_for_a_line_has_a_time_limit(loading):
    with started("list", path=[loading], seconds=1.0) as process, pytest.raises(AssertionError, match="no line begins"):
        until(process, "what it never says")
    assert process.returncode == -signal.SIGKILL


def test_ignored_hangup_stays_ignored(loading):
    with started("list", path=[loading], dispositions=STANDARD | {signal.SIGHUP: signal.SIG_IGN}) as process:
        until(process, "loading True")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert (process.returncode, err) == (143, "rebalance: ended by SIGTERM\n")
