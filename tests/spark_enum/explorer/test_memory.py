"""Explorations stay within the announced memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
import json, resource, sys
from pathlib import Path
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.spark_enum.explorer.exploration import explored
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.product import Product
product = Product(lock_lite(AVERAGELY, *json.loads(sys.argv[1])))
# VmHWM and not ru_maxrss, which begins with what the process had that has started this one
peak = lambda: next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024
base = peak()
with explored(product, {}, int(sys.argv[2]), Path(sys.argv[3]) if sys.argv[3] else None) as exploration:
    levels = list(exploration.levels())
    shelf = getattr(exploration.store, "shelf", None)
    found = [sum(one.states for one in levels), sum(one.digest for one in levels) % 2**64, peak() - base]
    print(json.dumps([*found, str(shelf.folder) if shelf else None]))
"""


def ran(size, memory, folder=""):
    command = [sys.executable, "-c", CHILD, json.dumps(size), str(memory), str(folder)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=300).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="what a process has is read in /proc")
def test_process_with_a_folder_stays_within_its_memory(tmp_path):
    states, _, grown, folder = ran((3, 3, 1), 16 << 20, tmp_path)
    assert states == 553_971
    assert grown < 24 << 20
    assert folder == str(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what a process has is read in /proc")
def test_process_stays_within_its_memory(tmp_path):
    memory = 48 << 20
    runs = [ran((3, 4, 1), memory), ran((3, 4, 1), memory, tmp_path), ran((3, 4, 1), 4 << 30)]
    assert {run[0] for run in runs} == {4_923_237}
    assert len({run[1] for run in runs}) == 1
    assert runs[0][2] < memory + (8 << 20)
    assert runs[1][2] < memory + (8 << 20)
    assert runs[2][2] > memory + (8 << 20), "it would have fitted"
    assert not Path(runs[0][3]).exists()
    assert [run[3] for run in runs[1:]] == [str(tmp_path), None]
