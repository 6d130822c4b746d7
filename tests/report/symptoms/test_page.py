"""The page of symptoms is the one in docs."""

from pathlib import Path

from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.page import page
from rebalance_proofs.report.symptoms.told import MARK

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "symptoms.md"


def test_the_page_is_the_one_in_docs():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_questions_are_its_headings():
    lines = page().splitlines()
    assert [line for line in lines if line.startswith("## ")] == [
        *(f"## {symptom.question}" for symptom in Symptom),
        "## Known bugs, by version",
        "## Lines of logs",
    ]


def test_every_cause_stands_there_as_each_thing_that_it_shows_as():
    text = page()
    for cause in CAUSES:
        assert text.count(f"\n**{cause.name}**: ") == len(cause.effects)
        marked = text.count(f"\n**{cause.name}**: **{MARK.strip()}** ")
        assert marked == sum(not effect.claimed for effect in cause.effects)
