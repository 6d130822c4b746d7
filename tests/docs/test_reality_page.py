"""docs/reference/reality.md is its command's output; slow tests compare the parts that need all recordings."""

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.report.reality.page import page, real, sdks
from rebalance_proofs.report.reality.reasons import marked
from rebalance_proofs.report.reality.told import pinned
from rebalance_proofs.report.text.english import capitalized, count
from tests.recorded.cluster.traces import trace

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "reality.md").read_text(encoding="utf-8").splitlines()
SMALL = "java-4.9.8/x_start_threw"


def test_reality_page_has_every_recording_and_machine():
    for name in all_shipped():
        assert sum(line.startswith(f"| {name} | ") and line.count("|") == len(CHECKS) + 3 for line in PAGE) == 1
    for machine in CHECKS:
        assert any(line.startswith(f"| {machine} | ") for line in PAGE)


def test_each_action_that_no_recording_needed_has_a_reason():
    assert not any("no reason is known" in line for line in PAGE)


def test_row_of_one_recording_is_up_to_date():
    row = next(line for line in page([real(trace(SMALL), SMALL)]) if line.startswith(f"| {SMALL} | 621 |"))
    assert row in PAGE


def test_claims_chapter_has_the_current_counts_of_marks():
    chapter = [*marked()]
    assert PAGE[PAGE.index(chapter[0]) :][: len(chapter)] == chapter


def test_chapter_on_grpc_clients_is_up_to_date():
    chapter = [*sdks()]
    assert PAGE[PAGE.index(chapter[0]) :][: len(chapter)] == chapter
    assert sum("receiving." in line for line in chapter) > 50


def blocks() -> dict[str, list[str]]:
    """Event -> its lines, of both chapters on claims."""
    text = "\n".join(PAGE)
    text = text[text.index("## Broken claims") : text.index("## How strict")]
    found = defaultdict[str, list[str]](list)
    for what, lines in re.findall(r"\*\*(.+)\*\*\n\n((?:- .*\n)+)", text):
        found[what] += lines.splitlines()
    return found


def test_page_numbers_equal_the_pinned_counts():
    """A page or file that was generated before a monitor changed differs from the other one."""
    told = blocks()
    for name, one in pinned().items():
        for claim, events in one.happened.items():
            for what, times in events.items():
                lines = [line for line in told[capitalized(what)] if line.startswith(f"- {name}: ") and claim in line]
                assert [line for line in lines if f": {count(times, 'time')}, " in line], (name, what)
    chances = Counter[tuple[str, str]]()
    for one in pinned().values():
        for claim, events in one.kept.items():
            for what, times in events.items():
                chances[claim, what] += times
    for (claim, what), times in chances.items():
        (line,) = (line for line in told[capitalized(what)] if line.startswith(f"- `{claim}`: "))
        assert line.startswith(f"- `{claim}`: {times:,} in "), (claim, what)


@pytest.mark.slow
def test_all_rows_are_up_to_date():
    made = page([real(trace(name), name) for name in all_shipped()])
    assert "\n".join(PAGE).startswith("\n".join(made).rstrip())
