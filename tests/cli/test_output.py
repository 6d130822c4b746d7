"""``--output``: files of others are not changed, and two runs do not overwrite each other."""

import json
import os
import signal
import subprocess
import sys
from time import sleep

import pytest

from tests.report.snapshot import snapshot

PROVE = ("prove", "allocation.circle.disjoint", "--no-width", "--jobs", "1", "--solver", "z3")
ENUMERATE = ("enumerate", "allocation.circle.disjoint", "--quick")
COMMANDS = [PROVE, ENUMERATE, ("verify",), ("conform",)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The current folder, a user's, with files that have names of a run's files."""
    root = tmp_path / "project"
    for name in ("results.json", "junit.xml", "smt2/hand-written.smt2", "counterexamples/notes.txt", "main.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("{}", encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_foreign_folder_is_refused_and_unchanged(call, command, project):
    before = snapshot(project)
    called = call(*command, "--output", ".")
    assert called.status == 2
    assert called.complaint == (
        "rebalance: '.' is not empty and not the directory of an earlier run; name a new or empty folder with --output,"
        " or add --overwrite to replace files of the same names"
    )
    assert not called.out
    assert snapshot(project) == before


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_empty_output_name_is_refused(call, command, project):
    before = snapshot(project)
    called = call(*command, "--output", "")
    assert called.status == 2
    assert "'--output': '' is not a folder name; name a new or empty folder" in called.complaint
    assert snapshot(project) == before


def test_root_directory_is_refused(call):
    called = call("prove", "allocation.circle.disjoint", "--output", "/")
    assert called.status == 2
    assert "'/' is not empty" in called.complaint


def test_overwrite_without_output_is_refused(call):
    called = call("prove", "allocation.circle.disjoint", "--overwrite")
    assert called.status == 2
    assert "--overwrite needs --output DIR" in called.complaint


def test_overwrite_replaces_only_run_files(call, project):
    assert call(*PROVE, "--output", ".", "--overwrite").status == 0
    assert json.loads((project / "results.json").read_text(encoding="utf-8"))["green"] is True
    assert "<testsuite" in (project / "junit.xml").read_text(encoding="utf-8")
    for name in ("smt2/hand-written.smt2", "counterexamples/notes.txt", "main.py"):
        assert (project / name).read_text(encoding="utf-8") == "{}"
    assert "'.' is not empty" in call(*PROVE, "--output", ".").complaint


def test_run_directory_can_be_reused(call, tmp_path):
    tmp_path = tmp_path / "run"
    tmp_path.mkdir()
    for _ in range(2):
        assert call(*PROVE, "--output", str(tmp_path)).status == 0
    (tmp_path / ".rebalance-run").unlink()  # as it was before there was one
    assert call(*PROVE, "--output", str(tmp_path)).status == 0
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["green"] is True


def test_link_to_a_foreign_folder_is_not_emptied(call, tmp_path, project):
    run = tmp_path / "run"
    assert call(*PROVE, "--output", str(run)).status == 0
    for path in run.glob("smt2/*/*"):
        path.unlink()
    (run / "smt2" / "allocation.circle.disjoint").rmdir()
    (run / "smt2").rmdir()
    (run / "smt2").symlink_to(project / "smt2")
    before = snapshot(project), snapshot(run)
    called = call(*PROVE, "--output", str(run))
    assert called.status == 2
    assert "smt2' is a link where the run writes its own file or folder" in called.complaint
    assert (snapshot(project), snapshot(run)) == before


def test_second_concurrent_run_is_refused_until_the_first_ends(call, tmp_path):
    run = tmp_path / "run"
    long = [sys.executable, "-m", "rebalance_proofs", *PROVE, "--stability", "10000", "--output", str(run)]
    with subprocess.Popen(long, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as first:
        try:
            marker = run / ".rebalance-run"
            while first.poll() is None and not (
                marker.exists() and f"Process {first.pid}" in marker.read_text(encoding="utf-8")
            ):
                sleep(0.05)
            called = call(*PROVE, "--output", str(run))
            assert called.status == 2
            assert f"another run (process {first.pid}) is writing to {str(run)!r}" in called.complaint
            assert first.poll() is None
        finally:
            os.killpg(first.pid, signal.SIGKILL)
    assert call(*PROVE, "--output", str(run)).status == 0
    assert json.loads((run / "results.json").read_text(encoding="utf-8"))["green"] is True


def test_failed_run_releases_its_folder(call, tmp_path):
    run = tmp_path / "run"
    assert call("conform", "--vectors", "no/such/directory", "--output", str(run)).status == 2
    command = [sys.executable, "-m", "rebalance_proofs", *PROVE, "--output", str(run)]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.spark
@pytest.mark.slow
def test_spark_files_are_removed_with_their_run(call, tmp_path):
    run = tmp_path / "run"
    small = ("enumerate", "allocation.circle.disjoint", "--queues", "2", "--consumers", "2", "--jobs", "1")
    assert call(*small, "--parquet", "--output", str(run)).status == 0
    assert list(run.glob("parquet/*/part-*"))
    assert (run / "spark.log").exists()
    assert call(*PROVE, "--output", str(run)).status == 0
    left = {path.name for path in run.iterdir()}
    assert left == {".rebalance-run", "results.json", "junit.xml", "summary.md", "report.html", "smt2"}
