"""Folders and streams in unexpected states."""

import os
import subprocess
import sys

import pytest

from rebalance_proofs.recorded import pipes

GONE = "rebalance: the working directory no longer exists; change to another directory\n"
CLOSED = "rebalance: cannot write to standard output: it is closed\n"
IN_NO_FOLDER = """
import os, sys, tempfile
place = tempfile.mkdtemp()
os.chdir(place)
os.rmdir(place)
from rebalance_proofs.__main__ import main
sys.argv = ["rebalance", *sys.argv[1:]]
main()
"""
SMALL = ("explore", "concurrent", "--levels", "8")


def run(*words: str, **more: object) -> tuple[int, str, str]:
    called = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        **more,
    )
    return called.returncode, called.stdout, called.stderr


@pytest.mark.parametrize("call", ["prove allocation.avg.disjoint", "list", "explore lock-lite"])
def test_missing_working_directory_is_reported(call):
    assert run("-c", IN_NO_FOLDER, *call.split()) == (2, "", GONE)


@pytest.mark.parametrize("call", ["list", "why", "--help", "moves", "prove allocation.avg.idle"])
def test_closed_standard_output_is_reported(call):
    status, out, err = run("-m", "rebalance_proofs", *call.split(), preexec_fn=lambda: os.close(1))
    assert (status, out, err) == (2, "", CLOSED)


@pytest.mark.parametrize(
    ("call", "status", "complaint"),
    [
        ("why twice", 0, ""),
        ("audit -", 2, "rebalance: cannot read '-': standard input is closed\n"),
        ("why --file -", 2, "rebalance: '-': Bad file descriptor\n"),
        ("replay movement.avg.monotone", 0, ""),
    ],
)
def test_closed_standard_input_asks_no_question(call, status, complaint):
    called, out, err = run("-m", "rebalance_proofs", *call.split(), preexec_fn=lambda: os.close(0))
    assert (called, err) == (status, complaint)
    assert bool(out) == (status == 0)


def test_closed_standard_error_still_gives_the_answer():
    status, out, _ = run("-m", "rebalance_proofs", "why", preexec_fn=lambda: os.close(2))
    assert (status, bool(out)) == (0, True)


def test_traces_are_not_written_among_other_files(call, tmp_path):
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    called = call(*SMALL, "--itf", str(tmp_path))
    assert (called.status, called.out) == (2, "")
    assert "contains files other than concurrent.*.itf.json" in called.complaint
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_traces_replace_those_of_an_earlier_call(call, tmp_path):
    folder = tmp_path / "traces"
    for _ in range(2):
        assert call(*SMALL, "--itf", str(folder)).status == 0
    assert {path.suffix for path in folder.iterdir()} == {".json"}


def test_traces_folder_needs_an_existing_parent(call, tmp_path):
    called = call(*SMALL, "--itf", str(tmp_path / "none" / "traces"))
    assert (called.status, list(tmp_path.iterdir())) == (2, [])
    assert "does not exist" in called.complaint


def test_exploration_without_findings_creates_no_folder(call, tmp_path):
    assert call("explore", "lock-lite", "--consumers", "1", "--itf", str(tmp_path / "traces")).status == 0
    assert list(tmp_path.iterdir()) == []


def test_pipe_without_a_reader_does_not_hang(tmp_path):
    pipe = tmp_path / "page"
    os.mkfifo(pipe)
    status, _, err = run("-m", "rebalance_proofs", *SMALL, "--report", str(pipe))
    assert (status, err) == (2, f"rebalance: cannot write {str(pipe)!r}: no process reads that pipe\n")


def test_pipe_with_a_reader_gets_the_page(tmp_path):
    pipe = tmp_path / "page"
    os.mkfifo(pipe)
    with subprocess.Popen(["timeout", "100", "cat", str(pipe)], stdout=subprocess.PIPE, encoding="utf-8") as reader:
        status, _, _ = run("-m", "rebalance_proofs", *SMALL, "--report", str(pipe))
        out, _ = reader.communicate(timeout=120)
    assert status == 0
    assert out.startswith("<!doctype html>")


@pytest.mark.parametrize("words", [("audit",), ("record", "--classpath", ".", "--scenario")])
def test_pipe_without_a_writer_does_not_hang(call, words, tmp_path, monkeypatch):
    monkeypatch.setattr(pipes, "SECONDS", 0.2)
    pipe = tmp_path / "logs"
    os.mkfifo(pipe)
    called = call(*words, str(pipe))
    assert (called.status, called.out) == (2, "")
    assert "no process has written to that pipe for 0.2 s" in called.complaint


def test_pipe_with_a_slow_writer_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(pipes, "SECONDS", 0.2)
    pipe = tmp_path / "logs"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"exec 3>{pipe}; sleep 1; echo late >&3; sleep 0.2; echo later >&3"]):
        assert b"".join(pipes.content(pipe)) == b"late\nlater\n"
