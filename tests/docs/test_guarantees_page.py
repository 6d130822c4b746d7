"""docs/reference/guarantees.md: every word in its tables agrees with its claim."""

import re
from pathlib import Path
from runpy import run_module

import pytest

from rebalance_proofs.model.machines.offsets import actions as offsets
from rebalance_proofs.model.transition.clients import V4_9, V5_0, V5_2
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.guarantees.page import SECTIONS, page
from rebalance_proofs.report.guarantees.queues import CALM, MOST_WORDS, Row, cell

TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "guarantees.md").read_text(encoding="utf-8")
CLAIMS = {claim.id: claim for claim in LEDGER}
TABLES = [table for section in SECTIONS for table in section.tables]
ROWS = [(table, row) for table in TABLES for row in table.rows]
WORD = re.compile(r"\[(always|no|push only)\]\(ledger/(\w+)\.md#([^)]+)\)(?:: [\w ,.-]+)?")


def cells() -> list[list[str]]:
    """The cells of all rows with a link to a claim."""
    lines = [line for line in TEXT.splitlines() if line.startswith("| ") and "](ledger/" in line]
    return [[one.strip() for one in line.strip("|").split(" | ")] for line in lines]


def test_guarantees_page_is_the_output_of_its_command(capsys):
    run_module("rebalance_proofs.report.guarantees", run_name="__main__")
    assert capsys.readouterr().out == page() == TEXT


def test_each_word_is_the_verdict_of_its_linked_claim():
    """Read from the page's text only."""
    every = [one for _, *words in cells() for one in words]
    assert len(cells()) == len(ROWS)
    for one in every:
        found = WORD.fullmatch(one)
        if not found:
            assert one in ("–", "no locks", "no order")
            continue
        word, room, claim = found.groups()
        assert claim.startswith(f"{room}.")
        assert CLAIMS[claim].expected is (Verdict.REFUTED if word == "no" else Verdict.PROVED)
    assert sum(one == "–" for one in every) < len(every) / 5


def test_each_word_is_in_the_column_of_its_client():
    """A claim names one client, which is the head of the column."""
    for table, row in ROWS:
        for client in table.clients:
            assert all(client in claim.subjects for claim in row.of(table.kind, client.name)), (row.label, client.name)


def test_every_row_has_a_claim():
    for table, row in ROWS:
        assert any(row.of(table.kind, client.name) for client in table.clients), row.label


def test_even_if_rows_have_claims_without_an_assumption():
    """A label belongs to claims with all assumptions or to claims without one, except where it is listed here."""
    other = {
        *("covers", "settles.fails", "accepted", "accepted.forgotten", "not-skipped.first", "not-skipped.first-copy"),
        *("answered.without-room", "told.without-close", "{}.woken.without-timely {}.woken"),
        "{}.gone {}.gone.without-other-group",
        "{}.unsubscribed.without-in-time {}.unsubscribed",
        "{}.stopped.without-in-time {}.stopped",
        *("no-group-lock.push-orderly-broadcasting", "unlocked.push-orderly.when-unlocks-arrive"),
    }
    for table, row in ROWS:
        dropped = {bool(one.world.dropped) for client in table.clients for one in row.of(table.kind, client.name)}
        if table.kind == "transition" or row.claims in other:
            continue
        assert dropped == {"even " in row.label}, row.label


def test_labels_are_short_and_unique():
    for table in TABLES:
        labels = [row.label for row in table.rows]
        assert all(len(label.split()) <= MOST_WORDS for label in labels), labels
        starts = [label for label in labels if not label.startswith("… ")]
        assert len({*starts}) == len(starts)
        assert starts[0] == labels[0], "a row that continues another one comes after it"


def test_each_section_has_scope_marks_and_assumptions():
    for section in SECTIONS:
        text = TEXT.partition(f"\n## {section.title}\n")[2].partition("\n## ")[0]
        assert text.startswith("\nReal clients: ")
        counted = [int(number) for number in re.findall(r"(\d+) [a-z]", text.splitlines()[1])]
        claims = [claim for claim in LEDGER if section.about(claim)]
        assert sum(counted) == len(claims) or len({seen(claim).mark for claim in claims}) == 1
        for mark in {seen(claim).mark for claim in claims}:
            assert f" {mark}" in text.splitlines()[1]
        assert section.scope.count(".") == 1
        assert all(f"\n- {words}\n" in text for words in section.assumptions)


def test_wrong_table_is_refused():
    kind, name = "transition", V5_2.name
    assert cell(Row("", "{}.exact"), kind, name).startswith("[always](")
    assert cell(Row("", "{}.none"), kind, name) == "–"
    assert cell(Row("", "{}.exact {}.unsubscribed-offset"), kind, name).startswith("[no](")
    for wrong in (
        Row("", {name: "{}.none"}),
        Row("", "{}.exact", absent={name: "no locks"}),
        Row("", "{}.exact", why={name: "it fails"}),
    ):
        with pytest.raises(LookupError):
            cell(wrong, kind, name)


def test_push_only_row_needs_a_refuted_claim_about_other_consumers():
    for client in (V4_9, V5_0, V5_2):
        only = Row("", "{}.heals.push", only=("push only", "{}.heals.pull-and-lite-pull"))
        assert cell(only, "transition", client.name).startswith("[push only](")
        assert CLAIMS[f"transition.{client.name}.heals.pull-and-lite-pull"].expected is Verdict.REFUTED
        proved = Row("", "{}.heals.push", only=("push only", "{}.heals.push"))
        assert cell(proved, "transition", client.name).startswith("[always](")


def test_ordered_guarantees_hold_for_other_consumers_too():
    """The row about reassigned queues is about the one mode in which it fails."""
    for client in (V4_9, V5_0, V5_2):
        assert CLAIMS[f"transition.{client.name}.returns.anything-but-push-orderly-as-shipped"].holds


@pytest.mark.parametrize("clients", [offsets.CONCURRENT, offsets.BY_LOOP, offsets.ORDERLY])
def test_every_claim_about_offsets_has_a_row(clients):
    names = {client.name for client in clients}
    (table,) = (one for one in TABLES if [*one.clients] == [*clients] and one.kind == "offsets")
    claimed = {one.id for one in LEDGER if one.kind == "offsets" and one.id.split(".")[1] in names}
    told = {one.id for row in table.rows for name in names for one in row.of("offsets", name)}
    assert told == claimed


LEFT_OUT = {
    "ordered": {
        *("exact", "exact.renewed", "exact.shutdown", "exclusive.renewed", "exclusive.renewed-alike"),
        *("exclusive.renewed-as-shipped", "kept-so-long", "let-go", "mixed"),
    },
    "pulls": {
        *("has-request.without-error", "has-request.without-interrupt", "has-request.without-store", "hits-own-entry"),
        *("hits-own-entry.without-late-answer", "only-lost", "repairs-while-held.without-late-answer"),
    },
    "settling": set[str](),
    "registry": {
        *("again.without-alone", "again.without-heartbeats", "listed.without-heartbeats", "once.without-close"),
        "good-bye.without-order",
        *(
            "route-as-long",
            "routed.without-polls",
            "told-late",
            "told-late.without-whole",
            "told.without-notifications",
        ),
    },
    "subscriptions": {
        *("accepted.without-alike", "all-tags", "all-tags.without-same-tags", "answered-as-late", "as-long"),
        *("calm.without-alike", "exactly", "never-answered"),
    },
}
"""Kind -> the claims that no row is about."""


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_claims_without_a_row_are_listed(kind):
    told = {one.id for table, row in ROWS for client in table.clients for one in row.of(table.kind, client.name)}
    left = {one.id.split(".", 2)[2] for one in LEDGER if one.kind == kind and one.id not in told}
    assert left == LEFT_OUT[kind]


def test_every_time_bound_is_stated_for_one_event():
    for title in ("Ordered consumption", "When a client rebalances"):
        assert CALM in TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_guarantees_page_is_short():
    assert sum(word != "|" for word in TEXT.split()) <= 3_600
