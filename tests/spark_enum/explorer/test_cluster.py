"""A cluster explores to the same counts and digest as one process, also when a worker is lost."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cli.process import started
from tests.spark_enum.explorer.exploring import gone_through
from tests.spark_enum.standalone import standalone

GROUP = {"consumers": 3, "queues": 3, "messages": 2}
CALL = ["explore", "lock-lite", *(word for name, value in GROUP.items() for word in (f"--{name}", f"{value}"))]
LOST = "Telling app of lost executor"
"""What the master says of it."""


@pytest.fixture
def loopback(monkeypatch):
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")


def same(document):
    expected = gone_through("lock-lite", **GROUP)
    assert document["whole"]
    assert (document["states"], document["transitions"]) == (expected.states, expected.transitions)
    assert document["digest"] == f"{expected.digest:016x}"
    assert document["levels"] == list(expected.levels)
    assert document["moves"] == dict(expected.counts)


def shared(folder: Path) -> list[int]:
    """Levels that several tasks have made: in one process, a level is one file."""
    files = Counter(int(path.name[:4]) for path in folder.glob("levels/*.npy"))
    return [level for level, many in files.items() if many > 1]


def is_there(file: Path, seconds: float = 200.0) -> None:
    """Waits for it."""
    end = monotonic() + seconds
    while not file.exists():
        assert monotonic() < end, f"{file} is not there after {seconds} s"
        sleep(0.01)


@pytest.mark.slow
@pytest.mark.spark
def test_cluster_of_two_workers_has_the_same_counts_and_digest(tmp_path, loopback):
    folder = tmp_path / "states"
    with standalone(tmp_path, workers=2) as cluster:
        command = [sys.executable, "-m", "rebalance_proofs", *CALL, "--states", folder, "--master", cluster.master]
        done = subprocess.run([*command, "--json"], check=True, capture_output=True, encoding="utf-8", timeout=500)
    same(json.loads(done.stdout))
    assert shared(folder)


@pytest.mark.slow
@pytest.mark.spark
def test_killed_worker_changes_no_result(tmp_path, loopback):
    """It ends at once, and its executor with it, while one of the largest levels is computed."""
    folder = tmp_path / "states"
    with standalone(tmp_path, workers=2) as cluster:
        called = (*CALL, "--states", str(folder), "--master", cluster.master)
        with started(*called, seconds=500) as process:
            is_there(folder / "levels" / "0014.json")
            assert shared(folder)
            assert LOST not in (tmp_path / "master.log").read_text(encoding="utf-8")
            cluster.kill_a_worker()
            said, err = process.communicate()
        assert process.returncode == 0, said + err
        assert LOST in (tmp_path / "master.log").read_text(encoding="utf-8")
    assert max(shared(folder)) > 20
    made = re.search(r"Explored: 2,550,096 states .*; digest (\w+)", said)
    assert made
    read = subprocess.run(
        [sys.executable, "-m", "rebalance_proofs", *CALL, "--states", folder, "--json"],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=500,
    )
    same(json.loads(read.stdout))
    assert made[1] == json.loads(read.stdout)["digest"]
    assert not list(folder.rglob("*.aside"))
