"""Ctrl-C in the middle: what stands is kept, marked incomplete, and not green."""

import json
import os
import signal
import subprocess
import sys


def test_results_so_far_are_kept_and_never_green(tmp_path):
    command = [sys.executable, "-u", "-m", "cli", "prove", "--stability", "2000", "--output", str(tmp_path / "run")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        first = process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        rest, err = process.communicate(timeout=60)
    assert first.startswith("ok ")
    assert process.returncode == 2
    assert "Traceback" not in rest + err
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["complete"] is False
    assert results["green"] is False
    assert 1 <= len(results["claims"]) < 34
    assert "interrupted after" in results["unfinished"]
    assert "NOT AS EXPECTED" in rest
