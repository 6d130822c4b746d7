"""Which lines each test executes, and which tests are selected for a fault."""

import os
import subprocess
import sys

from tests.faults.generated.reached import FOLDER
from tests.faults.generated.site import Site
from tests.faults.generated.trial import Reaches
from tests.faults.tree import ROOT

SOURCE = """
import time
import pytest
from rebalance_proofs.report.text.english import count, seconds

@pytest.fixture(scope="session")
def dear():
    time.sleep(0.3)
    return [seconds(one) for one in (1_000,)]

def test_counts():
    assert count(2, "queue")

def test_is_given_what_is_dear(dear):
    assert dear

def test_is_given_it_too(dear):
    assert dear

def test_fails():
    assert count(2, "queue") == ""
"""


def test_reached_code_includes_fixtures_of_passing_tests(tmp_path):
    (tmp_path / "tests" / "report").mkdir(parents=True)
    (tmp_path / "tests" / "report" / "test_some.py").write_text(SOURCE, encoding="utf-8")
    words = [
        "-q",
        "-p",
        "tests.faults.generated.reached",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        "tests",
    ]
    environment = os.environ | {FOLDER: str(tmp_path), "PYTHONPATH": str(ROOT)}
    called = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8"
    )
    assert called.returncode == 1, called.stdout + called.stderr
    reaches = Reaches(tmp_path)
    names = ("test_counts", "test_is_given_what_is_dear", "test_is_given_it_too")
    counts, dear, too = (f"tests/report/test_some.py::{name}" for name in names)
    assert {*reaches.seconds} == {counts, dear, too}
    assert reaches.seconds[counts] < 0.3 < reaches.seconds[dear]

    def chosen(function: str) -> set[str]:
        return {*reaches.tests(Site("report/text/english.py", 1, 0, 1, "", "", "", "", function))}

    assert chosen("count") == {counts}
    assert chosen("seconds") == {dear, too}
    assert chosen("") == {counts, dear, too}
    assert chosen("nothing") == {counts, dear, too}
    assert {*reaches.tests(Site("report/text/english.py", 1, 0, 1, "", "", ""), 0.2)} == {counts}
    reaches = Reaches(tmp_path, limit=0.5)
    assert chosen("seconds") == {dear, too}, "what is made once takes its time once"
    reaches = Reaches(tmp_path, limit=0.2)
    assert chosen("") == {counts}
