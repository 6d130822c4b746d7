"""The page of symptoms is the one in docs."""

import re
from pathlib import Path

import pytest

from rebalance_proofs.language import use
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, SDK_CAUSES
from rebalance_proofs.report.symptoms.page import page
from rebalance_proofs.report.symptoms.told import MARK
from rebalance_proofs.report.symptoms.words import CAVEAT

EVERY = (*CAUSES, *SDK_CAUSES)
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "symptoms.md"


def test_page_equals_the_one_in_docs():
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.fixture
def _chinese():
    use("zh")
    yield
    use("en")


@pytest.mark.usefixtures("_chinese")
def test_chinese_page_equals_the_one_in_docs():
    assert PAGE.with_name("symptoms.zh-CN.md").read_text(encoding="utf-8") == page()


@pytest.mark.usefixtures("_chinese")
def test_chinese_page_has_the_causes_and_anchors_of_the_english_one():
    chinese = page()
    use("en")
    for form in (r"^#### .+$", r'<a id="bug-[^"]+"></a>', r"^- <a id=.[^>]+></a>"):
        assert sorted(re.findall(form, chinese, re.M)) == sorted(re.findall(form, page(), re.M))


def test_page_headings_are_the_questions():
    lines = page().splitlines()
    assert [line for line in lines if line.startswith("## ")] == [
        *(f"## {symptom.question}" for symptom in Symptom),
        "## gRPC clients (rocketmq-clients)",
        "## Known bugs, by version",
        "## Log lines",
    ]


def test_checks_and_fixes_are_printed_once_under_the_first_symptom():
    _, *entries = page().partition("\n## Known bugs")[0].split("\n#### ")
    met = set()
    for entry in entries:
        name = entry.partition("\n")[0]
        cause = next(one for one in EVERY if one.name == name)
        assert (f"- Checks and fixes: see [{name}](#{name})." in entry) is (name in met)
        for kind, expected in (("Confirm", len(cause.looks)), ("Fix", len(cause.helps))):
            assert entry.count(f"\n- {kind}: ") == (0 if name in met else expected)
        met.add(name)
    assert met == {cause.name for cause in EVERY}


def test_caveat_about_bounds_is_printed_once():
    assert page().count(CAVEAT) == 1


def test_every_cause_is_listed_under_each_of_its_symptoms():
    text = page()
    for cause in EVERY:
        assert text.count(f"\n#### {cause.name}\n") == len(cause.effects)
        marked = text.count(f"\n#### {cause.name}\n\n**{MARK.strip()}** ")
        assert marked == sum(not effect.claimed for effect in cause.effects)
