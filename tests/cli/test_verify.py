"""The main job as a whole, in a process of its own; `make quick`, which continuous integration runs, is the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from proofs.errors import UsageError
from spark_enum.preflight import require_java


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> tuple[subprocess.CompletedProcess, Path]:
    """``rebalance verify --quick`` and its run directory."""
    try:
        require_java()
    except UsageError as error:
        pytest.skip(str(error))
    output = tmp_path_factory.mktemp("verify") / "run"
    command = [sys.executable, "-m", "cli", "verify", "--quick", "--output", str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False), output


@pytest.mark.spark
@pytest.mark.slow
def test_it_is_green_and_quiet_on_stderr(run):
    process, _ = run
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stderr == ""
    assert "All as expected" in process.stdout
    assert "WARN" not in process.stdout


@pytest.mark.spark
@pytest.mark.slow
def test_every_witness_was_heard(run):
    results = json.loads((run[1] / "results.json").read_text())
    assert results["complete"] is True
    assert {claim["verdict"] for claim in results["claims"]} == {"PROVED", "REFUTED"}
    enumerated = results["enumerated"]
    assert enumerated["enumerations"]
    assert enumerated["at_size"]
    assert enumerated["smallest"]
    assert results["conformance"]["files"]


@pytest.mark.spark
@pytest.mark.slow
def test_the_run_directory_is_whole(run):
    names = {path.name for path in run[1].iterdir()}
    assert {"results.json", "junit.xml", "summary.md", "report.html", "smt2", "counterexamples"} <= names
