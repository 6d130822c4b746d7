"""docs/reference/faults.md lists all faults, by the assumptions in docs/explanation/trust.md."""

import re

from tests.faults.beliefs import BELIEFS, WITHOUT
from tests.faults.page import NOTICED, OPEN, page
from tests.faults.tree import ROOT

TRUST = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")
FAULTS_PAGE = (ROOT / "docs" / "reference" / "faults.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^### (.+)$", TRUST, re.MULTILINE)
ROW = re.compile(r"^\| `([^`]+)` \| .+ \| (.+) \|$", re.MULTILINE)


def test_page_is_up_to_date():
    assert page() == FAULTS_PAGE


def test_page_lists_exactly_the_faults():
    listed = dict(ROW.findall(FAULTS_PAGE))
    assert listed.keys() == NOTICED.keys() | OPEN.keys()
    assert {name for name, by in listed.items() if by == "nothing"} == OPEN.keys()


def test_every_belief_has_a_fault_or_a_reason():
    assert len(HEADINGS) > 20
    assert set(HEADINGS) == BELIEFS.keys() | WITHOUT.keys()
    assert not BELIEFS.keys() & WITHOUT.keys()
    assert all(BELIEFS.values())


def test_every_fault_has_a_belief():
    assert {name for names in BELIEFS.values() for name in names} == NOTICED.keys() | OPEN.keys()


def test_unnoticed_faults_are_named_on_the_trust_page():
    assert all(f"`{name}`" in TRUST for name in OPEN)
