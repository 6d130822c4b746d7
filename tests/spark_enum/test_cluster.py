"""On executors in other processes the command gives the same results, even if some of them are lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.process import started, until
from tests.spark_enum.standalone import standalone


def digests(output: Path, master: str) -> list[str]:
    """What ``rebalance enumerate`` writes at ``master``."""
    bounds = ["--queues", "6", "--consumers", "6"]
    claims = ["allocation.avg.disjoint", "allocation.circle.disjoint"]
    command = [sys.executable, "-m", "rebalance_proofs", "enumerate", *claims, *bounds, "--master", master]
    subprocess.run([*command, "--output", str(output)], check=True, capture_output=True, timeout=600)
    results = json.loads((output / "results.json").read_text(encoding="utf-8"))
    assert results["green"]
    found = results["enumerated"]["findings"]
    assert {row["differing"] for row in found} == {0}
    assert {row["kind"] for row in found} == {"groups", "sizes"}
    return [row["digest"] for row in found]


@pytest.mark.slow
@pytest.mark.spark
def test_cluster_of_two_executors_has_the_digests_of_one_process(tmp_path):
    assert digests(tmp_path / "cluster", "local-cluster[2,1,1024]") == digests(tmp_path / "local", "local[1]")


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """Python interpreter for executors that leaves a trace."""
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\ntouch "{tmp_path}/was-run"\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


@pytest.mark.slow
@pytest.mark.spark
def test_killed_worker_changes_no_result(tmp_path, python, monkeypatch):
    """A green run implies the recorded digests and counts."""
    output = tmp_path / "run"
    monkeypatch.setenv("PYSPARK_PYTHON", str(python))
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    with standalone(tmp_path, workers=2) as cluster:
        called = ("enumerate", "--quick", "--master", cluster.master, "--output", str(output))
        with started(*called, seconds=900) as process:
            said = until(process, "swept ")
            cluster.kill_a_worker()
            rest, err = process.communicate()
    assert process.returncode == 0, said + rest + err
    assert "Lost executor" in (output / "spark.log").read_text(encoding="utf-8")
    assert json.loads((output / "results.json").read_text(encoding="utf-8"))["green"]
    assert (tmp_path / "was-run").exists()
