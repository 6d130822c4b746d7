"""docs/explanation/trust.md lists exactly the faults that there are."""

import re

from tests.faults.tables import FAULTS
from tests.faults.tree import ROOT
from tests.faults.unnoticed import UNNOTICED

PAGE = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")
CHOSEN, _, _ = PAGE.partition("**Faults that nobody chose.**")
LINES = CHOSEN.splitlines()
ROWS = [line.strip("|").split("|") for line in LINES if line.startswith("| ")][1:]
NOTICED = {fault.name for faults in FAULTS.values() for fault in faults}
OPEN = {fault.name for fault in UNNOTICED}


def named(cell: str) -> set[str]:
    """The faults that a cell names."""
    return set(re.findall(r"`([^`]+)`", cell))


def test_every_row_names_a_fault_or_says_why_there_is_none():
    assert len(ROWS) > 20
    for *_, cell in ROWS:
        none = re.match(r"none (is noticed|can be): \w+", cell.strip())
        known = OPEN if none else NOTICED
        assert none or named(cell)
        assert named(cell) <= known, cell


def test_every_fault_is_named():
    assert set().union(*(named(row[-1]) for row in ROWS)) == NOTICED | OPEN
