"""The page about articles: its verdicts are the ledger's, every statement has one, and tables are computed."""

import re
from pathlib import Path

import pytest

from rebalance_proofs.model.allocation.averagely import allocate
from rebalance_proofs.model.allocation.machine_room import java_split, machine_room_of
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.report.findings.page import links_to
from tests.each import each

TEXT = (Path(__file__).parent.parent.parent / "docs" / "explanation" / "articles.md").read_text(encoding="utf-8")
LINK = r"\[`[^`\]]+`\]\(\.\./reference/ledger/\w+\.md#[^)]+\)"
GIVEN = re.compile(rf"(proved|refuted), ([a-z0-9 ]+): ({LINK}(?:, {LINK})*)")
HEAD, *STATEMENTS, MORE = re.split(r"^## ", TEXT, flags=re.MULTILINE)
MISTAKES = re.split(r"^### ", MORE, flags=re.MULTILINE)[1:]
TABLE = re.findall(r"^\| (\d+), (\d+) \| (.*) \|$", MORE, re.MULTILINE)


def ids(links: str) -> list[str]:
    return re.findall(r"\.\./reference/ledger/\w+\.md#([^)]+)\)", links)


@each(("verdict", "mark", "links"), GIVEN.findall(TEXT), ids=lambda part: part.split("`")[-2:][0])
def test_verdict_and_mark_are_those_of_the_ledger(verdict, mark, links):
    """As in the findings: the same words, names, links and mark."""
    assert links_to(Verdict(verdict.upper()))(*ids(links)) == f"{verdict}, {mark}: {links}".replace("../reference/", "")


def test_every_named_claim_has_a_verdict():
    named = [found for found in ids(TEXT) if "." in found]
    assert len(named) > 60
    assert named == [found for *_, links in GIVEN.findall(TEXT) for found in ids(links)]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda text: text.splitlines()[0])
def test_statement_has_a_source_and_a_verdict(statement):
    assert "*Source.*" in statement
    assert GIVEN.search(statement.split("*Evidence.*")[1])


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda text: text.splitlines()[0])
def test_mistake_is_corrected_by_a_source_a_claim_or_the_computed_table(mistake):
    assert "](https://" in mistake or GIVEN.search(mistake) or "a test computes" in mistake


def test_head_table_links_every_statement():
    titles = [text.splitlines()[0] for text in STATEMENTS]
    assert re.findall(r"^\| \[([^\]]+)\]\(#", HEAD, re.MULTILINE) == titles


def test_statements_without_a_claim_are_marked_in_the_table():
    assert HEAD.count("| not claimed") == sum("Nothing about" in text for text in STATEMENTS) == 1


def test_only_the_number_of_messages_is_not_modelled():
    """Producers determine the number of messages per queue; everything else on the page has claims."""
    assert [text.splitlines()[0] for text in STATEMENTS if "not modelled" in text] == [
        "Equal shares of queues are equal shares of messages"
    ]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} queues, {row[1]} consumers")
def test_avg_shares_are_those_in_the_table(row):
    queues = [MessageQueue("topic", "broker", number) for number in range(int(row[0]))]
    ids = [f"c{number}" for number in range(int(row[1]))]
    shares = [", ".join(f"q{queue.queue_id}" for queue in allocate(one, queues, ids)) for one in ids]
    assert row[2].split(" | ") == shares


def test_both_article_tables_are_computed():
    assert [row[:2] for row in TABLE] == [("8", "4"), ("6", "4")]


def test_machine_room_assigns_queues_to_consumers_of_another_room():
    queues = [MessageQueue("topic", f"{room}@broker", number) for room in ("room1", "room2") for number in range(2)]
    in_room2 = ["room2@10.0.0.1", "room2@10.0.0.2"]
    shares = [machine_room_of({"room1"}, java_split)(one, queues, in_room2) for one in in_room2]
    assert shares == [[queues[0]], [queues[1]]]
