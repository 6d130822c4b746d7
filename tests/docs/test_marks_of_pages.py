"""Conformance marks: every page marks each claim as ``report.seen`` does."""

import re
from pathlib import Path

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report import groups_seen
from rebalance_proofs.report.claims import seen
from rebalance_proofs.report.claims.mark import EXPLAINED, Mark
from rebalance_proofs.report.findings.page import PICTURES
from rebalance_proofs.report.findings.page import page as findings
from rebalance_proofs.report.index import entries as index
from rebalance_proofs.report.index.made import made, written
from rebalance_proofs.report.symptoms.bugs import BUGS
from rebalance_proofs.report.symptoms.page import page as symptoms

DOCS = Path(__file__).parents[2] / "docs"
CLAIMS = {claim.id: claim for claim in LEDGER}
LINK = r"\[`[^`\]]+`\]\((?:\.\./reference/)?ledger/\w+\.md#([^)]+)\)"
MARKED = re.compile(
    rf"(?:proved|refuted|a proved bound[^,:]*(?:, and what[^,:]*)?), ([a-z0-9 ]+): ({LINK}(?:, {LINK})*)", re.I
)
STORY = re.compile(r"^Step by step: `rebalance replay (\S+)`.* Real clients: ([a-z0-9 ]+)\.$", re.MULTILINE)
PAGES = ("reference/findings.md", "reference/symptoms.md", "explanation/articles.md")


def read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def behind(text: str) -> list[tuple[str, str]]:
    """Claims behind a verdict with their marks."""
    return [(claim, mark) for mark, links, *_ in MARKED.findall(text) for claim in re.findall(LINK, links)]


def marked(text: str) -> list[tuple[str, str]]:
    """All that are marked."""
    return behind(text) + STORY.findall(text)


def wrong(text: str) -> list[str]:
    """Claims that are marked otherwise than what was recorded says."""
    return [claim for claim, mark in marked(text) if mark != seen.seen(CLAIMS[claim]).word]


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_with_a_verdict_has_its_mark(page):
    text = read(page)
    assert wrong(text) == []
    assert {mark for _, mark in marked(text)} >= {Mark.SEEN.word, Mark.MODEL.word}
    outside_of_tables = "\n".join(line for line in text.splitlines() if not line.startswith("| "))
    assert re.findall(LINK, outside_of_tables) == [claim for claim, _ in behind(text)]


@pytest.mark.parametrize("page", PAGES)
def test_wrong_observed_mark_on_a_page_is_detected(page):
    text = read(page)
    claim, mark, begins = next(
        (claim, mark, found.start(1))
        for found in MARKED.finditer(text)
        for claim, mark in marked(found[0])
        if mark == Mark.MODEL.word
    )
    assert claim in wrong(text[:begins] + Mark.SEEN.word + text[begins + len(mark) :])


def places_of_values(text: str) -> list[str]:
    """Places where a page shows a mark's name in JSON, after a verdict, below a story or in a table's cell."""
    names = "|".join(mark.value for mark in Mark)
    verdict = r"(?:proved|refuted|a proved bound)\b[^\n|]*?"
    shown = rf"{verdict}, (?:{names})(?:[:,]|\.(?=\s|$))|Real clients: (?:{names})\b|\| (?:{names}) \|"
    return re.findall(shown, text, re.IGNORECASE | re.MULTILINE)


GENERATED = [*(f"reference/{name}.md" for name in ("findings", "symptoms", "ledger", "reality", "guarantees"))]
LEDGER_PAGES = [f"reference/ledger/{path.name}" for path in sorted((DOCS / "reference/ledger").glob("*.md"))]


@pytest.mark.parametrize("page", [*GENERATED, *LEDGER_PAGES, "explanation/articles.md"])
def test_pages_show_words_not_json_values_of_marks(page):
    assert places_of_values(read(page)) == []


@pytest.mark.parametrize("page", [*PAGES, *LEDGER_PAGES])
def test_json_value_of_a_mark_on_a_page_is_detected(page):
    text = read(page)
    shown = [mark for mark in Mark if f", {mark}: " in text or f" {mark}." in text or f"| {mark} |" in text]
    assert shown
    for mark in shown:
        changed = re.sub(rf"(, |Real clients: |\| ){mark}(?=: |\.| \|)", rf"\g<1>{mark.value}", text)
        assert places_of_values(changed), mark


@pytest.mark.parametrize("page", ["reference/symptoms.md", "reference/ledger.md"])
def test_marks_are_explained_once(page):
    assert read(page).count(EXPLAINED) == 1


def test_findings_link_to_the_legend_of_marks():
    assert read("reference/findings.md").count("([legend](ledger.md))") == 1
    assert EXPLAINED not in read("reference/findings.md")


def test_every_picture_and_trace_of_the_findings_has_a_mark():
    text = read("reference/findings.md")
    assert len(STORY.findall(text)) == text.count("Step by step: ")
    alone = re.findall(r"\]\(findings/([^)]+)\.svg\)\n\nReal clients: ([a-z0-9 ]+)\.\n", text)
    assert dict(alone) == {name: seen.seen(one.claim).word for name, one in PICTURES.items() if one.size is not None}


def test_every_bug_has_the_mark_of_its_claims():
    entries = read("reference/symptoms.md").split("\n- ")
    for bug in BUGS:
        (entry,) = (entry for entry in entries if f"</a>**{bug.sentence}** " in entry)
        claims = [one.claim for one in (*bug.present, *bug.absent)]
        assert sorted(behind(entry)) == sorted((name, seen.seen(CLAIMS[name]).word) for name in claims)


def test_marks_on_pages_come_from_recordings(monkeypatch):
    """Without recordings every claim is marked as model only, on each page."""
    monkeypatch.setattr(seen, "compared", dict)
    for name in ("pinned", "recorded_sdks", "compared_sdks"):
        monkeypatch.setattr(groups_seen, name, dict)
    unseen = index.read(written(made()))
    monkeypatch.setattr(index, "document", lambda: unseen)
    index.entries.cache_clear()
    try:
        for text in (findings(), symptoms()):
            assert {mark for _, mark in marked(text)} == {Mark.MODEL.word}
    finally:
        index.entries.cache_clear()
