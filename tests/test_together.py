"""Tests that share a process; every name in that list exists."""

from pathlib import Path

from tests.conftest import DEAR, HEAVY, together

ROOT = Path(__file__).parent.parent
FILES = [path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.rglob("test_*.py")]


def test_files_that_take_long_are_there():
    assert {*HEAVY} < {*FILES}


def test_what_is_dear_is_used_by_several_files():
    """One file alone would need no name."""
    for name in DEAR:
        assert len([file for file in FILES if together(file) == name]) > 1, name


def test_a_file_that_uses_nothing_dear_goes_alone():
    assert together("tests/model/test_queues.py") == "tests/model/test_queues.py"
    assert together("tests/proofs/test_smallest.py") == "proved"
