"""The same command on executors in processes of their own gives the same results, also when some of them are lost."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.spark_enum.standalone import standalone


def enumerating(*arguments: str) -> list[str]:
    return [sys.executable, "-u", "-m", "cli", "enumerate", *arguments]


def digests(output: Path, master: str) -> list[str]:
    """What ``rebalance enumerate`` writes at ``master``."""
    bounds = ["--queues", "6", "--consumers", "6"]
    command = enumerating("allocation.avg.disjoint", "allocation.circle.disjoint", *bounds, "--master", master)
    subprocess.run([*command, "--output", str(output)], check=True, capture_output=True, timeout=600)
    results = json.loads((output / "results.json").read_text())
    assert results["green"]
    assert {row["disagreements"] for row in results["enumerated"]["at_size"]} == {0}
    return [sweep["digest"] for sweep in results["enumerated"]["enumerations"]]


@pytest.mark.slow
@pytest.mark.spark
def test_a_cluster_of_two_executors_gives_the_digests_of_one_process(tmp_path):
    assert digests(tmp_path / "cluster", "local-cluster[2,1,1024]") == digests(tmp_path / "local", "local[1]")


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An interpreter for executors that leaves a trace."""
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\ntouch "{tmp_path}/was-run"\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return script


@pytest.mark.slow
@pytest.mark.spark
def test_a_worker_that_is_killed_costs_time_only(tmp_path, python):
    """That digests and counts are those that are recorded is part of being green."""
    output = tmp_path / "run"
    with standalone(tmp_path, workers=2) as cluster:
        command = enumerating("--quick", "--master", cluster.master, "--output", str(output))
        environment = os.environ | {"PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            limit = threading.Timer(900, process.kill)
            limit.start()
            said = next((line for line in process.stdout if line.startswith("swept ")), "")
            cluster.kill_a_worker()
            rest, _ = process.communicate()
            limit.cancel()
    assert process.returncode == 0, said + rest
    assert "Lost executor" in (output / "spark.log").read_text()
    assert json.loads((output / "results.json").read_text())["green"]
    assert (tmp_path / "was-run").exists()
