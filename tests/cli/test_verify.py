"""The main job about six claims, in a process of its own; continuous integration runs all of it as `make quick`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.preflight import require_java

CLAIMS = (
    "allocation.circle.disjoint",
    "allocation.circle.contiguous",
    "allocation.hash.balanced",
    "movement.avg.moved",
    "transition.node.exact",
    "transition.node.returns",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> tuple[subprocess.CompletedProcess, Path]:
    """``rebalance verify --quick`` with six claims, and its run directory."""
    try:
        require_java()
    except UsageError as error:
        pytest.skip(str(error))
    output = tmp_path_factory.mktemp("verify") / "run"
    command = [sys.executable, "-m", "rebalance_proofs", "verify", "--quick", *CLAIMS, "--output", str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600), output


@pytest.mark.spark
def test_it_is_green_and_quiet_on_stderr(run):
    process, _ = run
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stderr == ""
    assert "All as expected" in process.stdout
    assert "WARN" not in process.stdout


@pytest.mark.spark
def test_every_witness_was_heard(run):
    results = json.loads((run[1] / "results.json").read_text())
    assert results["complete"] is True
    assert {claim["id"] for claim in results["claims"]} == {*CLAIMS}
    assert {claim["verdict"] for claim in results["claims"]} == {"PROVED", "REFUTED"}
    required = {row["name"]: row["expected"] for row in results["required"]}
    assert required["claims that were judged"] == len(CLAIMS)
    enumerated = results["enumerated"]
    assert {found["kind"] for found in enumerated["findings"]} >= {"groups", "joins", "sizes", "smallest", "promises"}
    assert results["conformance"]["files"]


@pytest.mark.spark
def test_the_run_directory_is_whole(run):
    names = {path.name for path in run[1].iterdir()}
    assert {"results.json", "junit.xml", "summary.md", "report.html", "smt2", "counterexamples"} <= names
