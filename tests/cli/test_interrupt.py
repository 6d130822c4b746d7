"""Ctrl-C during a run: the results so far are written, and marked as incomplete and not green."""

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from rebalance_proofs.proofs.ledger import select
from tests.cli.process import ABOUT_NODE, MODULE, started, until


def interrupted(output: Path, line: str, *arguments: str, python: Sequence[str] = MODULE) -> tuple[int, str, dict]:
    """Calls the command and presses Ctrl-C after a line that begins with ``line``; status, all it said, results."""
    with started(*arguments, "--output", str(output), python=python) as process:
        said = until(process, line)
        os.killpg(process.pid, signal.SIGINT)
        rest, err = process.communicate()
    assert "INCOMPLETE" in rest
    assert not err
    results = json.loads((output / "results.json").read_text(encoding="utf-8"))
    assert results["complete"] is False
    assert results["green"] is False
    return process.returncode, said + rest, results


def test_interrupt_while_proving_keeps_results(tmp_path):
    status, _, results = interrupted(tmp_path / "run", "ok ", "prove", ABOUT_NODE)
    assert status == 2
    assert 1 <= len(results["claims"]) < len(select([ABOUT_NODE]))
    assert "interrupted after" in results["unfinished"]


SLOW_COMPARISON = """
import time
from rebalance_proofs.recorded import conform
def slowly(vectors):
    print("comparing", flush=True)
    time.sleep(60)
conform.conform = slowly
from rebalance_proofs.__main__ import main
main()
"""


@pytest.mark.parametrize("command", ["conform", pytest.param("verify", marks=pytest.mark.spark)])
def test_interrupt_while_comparing_recorded_results_keeps_results(command, tmp_path):
    """The files of the earlier run are removed by then, and a new report replaces them."""
    python = ("-c", SLOW_COMPARISON)
    status, said, results = interrupted(tmp_path / "run", "comparing", command, python=python)
    assert status == 2
    assert results["unfinished"] == "interrupted while comparing recorded results"
    assert "proving" not in said


@pytest.mark.spark
@pytest.mark.slow
def test_interrupt_while_enumerating_keeps_results(tmp_path):
    claims = "allocation.circle.**"
    status, said, results = interrupted(tmp_path / "run", "swept circle:", "verify", "--quick", claims)
    assert status == 2
    assert len(results["claims"]) == len(select([claims]))
    assert results["unfinished"] == "interrupted while enumerating"
    assert "swept circle without-own-id-listed" not in said
