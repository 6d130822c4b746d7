"""The second of two runs in one folder is refused until the first has ended, in any way."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from rebalance_proofs.report.own.output import OutputError
from rebalance_proofs.report.results import directory, files

HOLD = """
import os, sys
from pathlib import Path
from rebalance_proofs.report.results import directory as marker
with marker.held(Path(sys.argv[1]), marker.RUNS):
    child = os.fork() if "fork" in sys.argv else None
    if child != 0:
        print(child, flush=True)
    sys.stdin.read()
"""


@contextmanager
def another(folder, *arguments):
    """Another process that holds the folder, and the number of its child (``None`` without ``fork``)."""
    command = [sys.executable, "-c", HOLD, str(folder), *arguments]
    environment = dict(os.environ)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=environment
    ) as process:
        yield process, process.stdout.readline().strip()


def test_second_run_is_refused_and_changes_nothing(tmp_path):
    with another(tmp_path) as (process, _):
        (tmp_path / files.JUNIT).write_text("the other's", encoding="utf-8")
        before = (tmp_path / files.MARKER).read_text(encoding="utf-8")
        said = rf"another run \(process {process.pid}\) is writing to .*; wait until it has ended, or name another"
        with pytest.raises(OutputError, match=said), directory.taken(tmp_path):
            pytest.fail("taken")
        assert (tmp_path / files.MARKER).read_text(encoding="utf-8") == before
        assert (tmp_path / files.JUNIT).read_text(encoding="utf-8") == "the other's"
        process.stdin.close()
        assert process.wait(10) == 0
        with directory.taken(tmp_path):
            pass


def test_marker_of_a_killed_process_is_taken_over(tmp_path):
    with another(tmp_path) as (process, _):
        process.kill()
        process.wait(10)
        assert f"Process {process.pid} " in (tmp_path / files.MARKER).read_text(encoding="utf-8")
        with directory.taken(tmp_path):
            assert f"Process {os.getpid()} " in (tmp_path / files.MARKER).read_text(encoding="utf-8")


def test_worker_that_outlives_its_run_holds_no_marker(tmp_path):
    with another(tmp_path, "fork") as (process, child):
        process.kill()
        process.wait(10)
        try:
            os.kill(int(child), 0)
            with directory.taken(tmp_path):
                pass
        finally:
            os.kill(int(child), signal.SIGKILL)


def test_marker_is_released_after_an_error(tmp_path):
    with pytest.raises(KeyboardInterrupt), directory.taken(tmp_path):
        raise KeyboardInterrupt
    assert (tmp_path / files.MARKER).read_text(encoding="utf-8") == directory.RUNS + "\n"
    with another(tmp_path) as (process, said):
        assert said == "None"
        process.stdin.close()


def test_other_errors_are_not_reported_as_output_errors(tmp_path):
    with pytest.raises(FileNotFoundError), directory.taken(tmp_path):
        raise FileNotFoundError


def test_runs_continue_without_file_locks(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with another(tmp_path) as (process, _), directory.taken(tmp_path):
        process.stdin.close()
