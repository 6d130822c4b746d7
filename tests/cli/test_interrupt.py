"""Ctrl-C in the middle: what stands is kept, marked incomplete, and not green."""

import json
import os
import signal
from pathlib import Path

import pytest

from proofs.ledger import LEDGER
from tests.cli.process import started, until


def interrupted(output: Path, line: str, *arguments: str) -> tuple[int, str, dict]:
    """Calls the command and presses Ctrl-C after a line that begins with ``line``; status, all it said, results."""
    with started(*arguments, "--output", str(output)) as process:
        said = until(process, line)
        os.killpg(process.pid, signal.SIGINT)
        rest, err = process.communicate()
    assert "INCOMPLETE" in rest
    assert not err
    results = json.loads((output / "results.json").read_text())
    assert results["complete"] is False
    assert results["green"] is False
    return process.returncode, said + rest, results


def test_while_proving(tmp_path):
    status, _, results = interrupted(tmp_path / "run", "ok ", "prove")
    assert status == 2
    assert 1 <= len(results["claims"]) < len(LEDGER)
    assert "interrupted after" in results["unfinished"]


@pytest.mark.spark
@pytest.mark.slow
def test_while_enumerating(tmp_path):
    status, said, results = interrupted(tmp_path / "run", "swept circle:", "verify", "--quick", "--verbose")
    assert status == 2
    assert len(results["claims"]) == len(LEDGER)
    assert results["unfinished"] == "interrupted while enumerating"
    assert "swept circle without-own-id-listed" not in said
