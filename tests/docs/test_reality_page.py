"""docs/reference/reality.md is what its command prints; slow tests compare the parts that need all recordings."""

from pathlib import Path

import pytest

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.groups.shipped import all_shipped
from rebalance_proofs.report.reality.marked import marked
from rebalance_proofs.report.reality.page import page, real
from tests.recorded.cluster.traces import trace

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "reality.md").read_text(encoding="utf-8").splitlines()
SMALL = "java-4.9.8/x_start_threw"


def test_it_has_every_recording_and_machine():
    for name in all_shipped():
        assert sum(line.startswith(f"| {name} | ") and line.count("|") == len(CHECKS) + 3 for line in PAGE) == 1
    for machine in CHECKS:
        assert any(line.startswith(f"| {machine} | ") for line in PAGE)


def test_the_row_of_one_recording_is_what_it_is_now():
    row = next(line for line in page([real(trace(SMALL), SMALL)]) if line.startswith(f"| {SMALL} | 621 |"))
    assert row in PAGE


def test_its_chapter_on_claims_counts_the_marks_that_they_have_now():
    chapter = [*marked()]
    assert PAGE[PAGE.index(chapter[0]) :][: len(chapter)] == chapter


@pytest.mark.slow
def test_so_are_all_others():
    made = page([real(trace(name), name) for name in all_shipped()])
    assert "\n".join(PAGE).startswith("\n".join(made).rstrip())
