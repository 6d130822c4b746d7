"""The same command on executors in processes of their own gives the same results."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


def digests(output: Path, master: str) -> list[str]:
    """What ``rebalance enumerate`` writes at ``master``."""
    bounds = ["--queues", "6", "--consumers", "6"]
    command = [sys.executable, "-m", "cli", "enumerate", "allocation.*.disjoint", *bounds, "--master", master]
    subprocess.run([*command, "--output", str(output)], check=True, capture_output=True)
    results = json.loads((output / "results.json").read_text())
    assert results["green"]
    assert [row["disagreements"] for row in results["enumerated"]["at_size"]] == [0, 0]
    return [sweep["digest"] for sweep in results["enumerated"]["enumerations"]]


@pytest.mark.slow
@pytest.mark.spark
def test_a_cluster_of_two_executors_gives_the_digests_of_one_process(tmp_path):
    assert digests(tmp_path / "cluster", "local-cluster[2,1,1024]") == digests(tmp_path / "local", "local[1]")
