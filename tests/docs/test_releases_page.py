"""docs/reference/releases.md is its command's output."""

from pathlib import Path

from rebalance_proofs.report.released.page import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "releases.md"


def test_page_is_its_commands_output():
    assert PAGE.read_text(encoding="utf-8") == page()
