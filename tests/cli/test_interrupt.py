"""Ctrl-C in the middle: what stands is kept, marked incomplete, and not green."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from proofs.ledger import LEDGER


def interrupted(output: Path, until: str, *arguments: str) -> tuple[int, str, dict]:
    """Calls the command and presses Ctrl-C after a line that begins with ``until``; status, all it said, results."""
    command = [sys.executable, "-u", "-m", "cli", *arguments, "--output", str(output)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # what a shell starts in the background, as the tests may be, ignores Ctrl-C, and so would the command
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith(until):
                break
        os.killpg(process.pid, signal.SIGINT)
        rest, err = process.communicate(timeout=60)
    said = "".join(lines) + rest + err
    assert "Traceback" not in said
    assert "INCOMPLETE" in rest
    results = json.loads((output / "results.json").read_text())
    assert results["complete"] is False
    assert results["green"] is False
    return process.returncode, said, results


def test_while_proving(tmp_path):
    status, _, results = interrupted(tmp_path / "run", "ok ", "prove", "--stability", "50")
    assert status == 2
    assert 1 <= len(results["claims"]) < len(LEDGER)
    assert "interrupted after" in results["unfinished"]


@pytest.mark.spark
@pytest.mark.slow
def test_while_enumerating(tmp_path):
    status, said, results = interrupted(tmp_path / "run", "swept circle:", "verify", "--quick")
    assert status == 2
    assert len(results["claims"]) == len(LEDGER)
    assert results["unfinished"] == "interrupted while enumerating"
    assert "swept circle without-own-id-listed" not in said
