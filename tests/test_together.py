"""Tests that share a process; every name in that list exists."""

from pathlib import Path

from tests.conftest import DEAR, EXPLORED, HEAVY, KINDS, group, together
from tests.machines.registered import MACHINES

ROOT = Path(__file__).parent.parent
FILES = [path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.rglob("test_*.py")]


def test_heavy_test_files_exist():
    assert {*HEAVY} < {*FILES}


def test_expensive_fixtures_are_used_by_several_files():
    """A single file would not need a name."""
    for name in DEAR:
        assert len([file for file in FILES if together(file) == name]) > 1, name


def test_explorations_of_a_kind_run_in_one_process():
    machines, names = "tests/machines/test_machines.py", {file.split()[0] for file in KINDS}
    assert {*EXPLORED, *names} < {*FILES}
    assert group(machines, f"{machines}::test_a[ordered.java_v5_2.exclusive]") == EXPLORED[0]
    assert group(machines, f"{machines}::test_a[registry-java_v5_0]") == f"{machines} registry"
    assert together("tests/report/registry/test_story.py") == f"{machines} registry"
    for parts in KINDS.values():
        assert parts in EXPLORED or parts.split()[1] in {machine.kind for machine in MACHINES}


def test_file_without_expensive_fixtures_runs_alone():
    assert together("tests/model/test_queues.py") == "tests/model/test_queues.py"
    assert together("tests/proofs/test_smallest.py") == "proved"
