"""The benchmarks of the explorer run, from the first to the last."""

import re
import subprocess
import sys

import pytest

from benchmarks.explorer import section, spin
from benchmarks.explorer.ours import ROOT


def told(*options):
    command = [sys.executable, "-m", "benchmarks.explorer", *options]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=500, cwd=ROOT).stdout


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.skipif(bool(spin.missing()), reason="SPIN and gcc are needed")
def test_benchmark_runs_all_sections_for_small_groups():
    said = told("--quick")
    titles = re.findall(r"^#+ (.*)$", said, re.MULTILINE)
    assert titles == ["Whole groups", *section.TITLES.values()]
    assert said.count("`lock-lite`, 2 consumers, 3 queues, 2 messages: CPU time of SPIN") == 3
    assert said.count("| 2 consumers, 3 queues, 2 messages | 51,624 | 425,979 |") == 1
    assert len(re.findall(r"\| at (?:least|most) [^|]*: (?:not )?met(?: \([^|]*\))? \| [\d.]", said)) == 15


@pytest.mark.slow
def test_large_benchmark_runs_on_disk_for_a_small_group(tmp_path):
    said = told("--large", str(tmp_path / "states"), "--queues", "2", "--memory", "16")
    assert "states | at least 50,000,000: not met | 218,897; 1,562,751 transitions |" in said
    assert list((tmp_path / "states").glob("levels/*.json"))
