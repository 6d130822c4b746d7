"""The page about articles: its verdicts are the ledger's, and every statement has one."""

import re
from pathlib import Path

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.report.findings.page import links_to
from tests.each import each

TEXT = (Path(__file__).parent.parent.parent / "docs" / "explanation" / "articles.md").read_text(encoding="utf-8")
LINK = r"\[`[^`\]]+`\]\(\.\./reference/ledger/\w+\.md#[^)]+\)"
GIVEN = re.compile(rf"(proved|refuted), ([a-z ]+): ({LINK}(?:, {LINK})*)")
HEAD, *STATEMENTS = re.split(r"^## ", TEXT, flags=re.MULTILINE)


def ids(links: str) -> list[str]:
    return re.findall(r"\.\./reference/ledger/\w+\.md#([^)]+)\)", links)


@each(("verdict", "mark", "links"), GIVEN.findall(TEXT), ids=lambda part: part.split("`")[-2:][0])
def test_a_verdict_is_that_of_the_ledger(verdict, mark, links):
    """As the findings write it: the same words, names and links, and whether real clients were seen."""
    assert links_to(Verdict(verdict.upper()))(*ids(links)) == f"{verdict}, {mark}: {links}".replace("../reference/", "")


def test_every_claim_that_is_named_stands_behind_a_verdict():
    named = [found for found in ids(TEXT) if "." in found]
    assert len(named) > 60
    assert named == [found for *_, links in GIVEN.findall(TEXT) for found in ids(links)]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda text: text.splitlines()[0])
def test_a_statement_has_a_source_and_a_verdict(statement):
    assert "*Where.*" in statement
    assert "*What is proved.*" in statement
    assert GIVEN.search(statement)


def test_the_table_leads_to_every_statement():
    titles = [text.splitlines()[0] for text in STATEMENTS]
    assert re.findall(r"^\| \[([^\]]+)\]\(#", HEAD, re.MULTILINE) == titles


def test_what_is_said_not_to_be_claimed_is_in_the_table():
    assert HEAD.count("| not claimed") == sum("Nothing about" in text for text in STATEMENTS) == 1


def test_nothing_is_said_not_to_be_modelled_that_is():
    """How many messages a queue gets is up to producers; all else that it names has claims."""
    assert [text.splitlines()[0] for text in STATEMENTS if "not modelled" in text] == [
        "An equal share of queues is an equal share of messages"
    ]
