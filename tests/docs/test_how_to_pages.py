"""How-to guides: every command with output prints that output, and guides are short."""

import re

import pytest

from tests.docs.shown import ROOT, agrees, each_shown, printed

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "how-to").glob("*.md"))}
SHOWN = [(name, *block) for name, page in PAGES.items() for block in each_shown(page)]
MOST_LINES = 12


@pytest.mark.parametrize(
    ("typed", "output", "before"), [each[1:] for each in SHOWN], ids=[f"{each[0]}-{each[1][:60]}" for each in SHOWN]
)
def test_guide_shows_the_output_of_its_command(typed, output, before):
    assert agrees(output, printed(typed, before))


def test_guides_with_output_are_found():
    assert {
        "audit-logs",
        "check-a-recording",
        "check-a-strategy",
        "explore-a-group",
        "record-a-group",
        "your-cluster",
    } <= {name for name, *_ in SHOWN}


@pytest.mark.parametrize("name", PAGES)
def test_shown_output_is_short(name):
    assert [typed for page, typed, output, _ in SHOWN if page == name and len(output.splitlines()) > MOST_LINES] == []


@pytest.mark.parametrize("name", PAGES)
def test_table_cells_are_short(name):
    text = re.sub(r"(?s)```.*?```", "", PAGES[name])
    cells = [cell for row in re.findall(r"^\|(.*)\|$", text, re.M) for cell in row.split("|")]
    assert [cell for cell in cells if len(cell.split()) > 12] == []
