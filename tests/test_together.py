"""Tests that share a process; every name in that list exists."""

from pathlib import Path

from tests.conftest import DEAR, HEAVY, together

ROOT = Path(__file__).parent.parent
FILES = [path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.rglob("test_*.py")]


def test_heavy_test_files_exist():
    assert {*HEAVY} < {*FILES}


def test_expensive_fixtures_are_used_by_several_files():
    """A single file would not need a name."""
    for name in DEAR:
        assert len([file for file in FILES if together(file) == name]) > 1, name


def test_file_without_expensive_fixtures_runs_alone():
    assert together("tests/model/test_queues.py") == "tests/model/test_queues.py"
    assert together("tests/proofs/test_smallest.py") == "proved"
