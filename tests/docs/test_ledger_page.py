"""The ledger page is generated from the claims, and up to date."""

import re
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import cmp_to_key
from pathlib import Path
from runpy import run_module

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.model.queues import by_int32_difference, by_value, utf8_bytes, utf16_units
from rebalance_proofs.proofs.certified.recorded import recorded
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report import ledger
from rebalance_proofs.report.allocation.chapters import (
    GIVEN,
    LETTERS,
    NUMBERS,
    empties,
    glance,
    pairings,
    same_name,
    smallest_lists,
    spaces,
    twin,
)
from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.ledger import files, statement, write
from rebalance_proofs.report.names import of_client, readable
from rebalance_proofs.report.text.english import capitalized
from rebalance_proofs.spark_enum.allocation.group_check import checks

DOCS = Path(__file__).parents[2] / "docs" / "reference"
BY_NAME = {strategy.name: strategy for strategy in ALL}


@pytest.fixture(scope="module")
def text():
    return "\n".join(files().values())


def rows(table: str) -> list[list[str]]:
    """The cells of a table's rows, its head left out."""
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[1:]]


def test_ledger_pages_are_up_to_date():
    there = {"ledger.md", *(f"ledger/{path.name}" for path in (DOCS / "ledger").iterdir())}
    assert {path: (DOCS / path).read_text(encoding="utf-8") for path in there} == files()


@pytest.mark.parametrize(("given", "status"), [([], 0), (["there"], 0), (["there", "too"], 2)])
def test_ledger_pages_are_written_to_one_directory(given, status, tmp_path, monkeypatch):
    (tmp_path / (given or ["docs/reference"])[0] / "ledger").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ledger", *given])
    with pytest.raises(SystemExit) if status else nullcontext():
        run_module("rebalance_proofs.report.ledger", run_name="__main__")
    assert sorted(path.name for path in tmp_path.rglob("ledger.md")) == ([] if status else ["ledger.md"])


def test_page_of_a_removed_kind_is_deleted(tmp_path):
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "gone.md").touch()
    write(tmp_path)
    assert not (tmp_path / "ledger" / "gone.md").exists()
    assert (tmp_path / "ledger" / "ordered.md").exists()


def test_every_claim_has_a_line_on_its_kinds_page():
    pages = files()
    for claim in LEDGER:
        (line,) = [
            line for line in pages[from_docs(claim.id).partition("#")[0]].splitlines() if f'"{claim.id}"' in line
        ]
        assert line.startswith("- ")
        assert f": {claim.expected}" in line
        assert line.count(f", {seen(claim).word}.") == 1
        number = len((*claim.obligations, *claim.lemmas))
        numbers = re.findall(r"Certified: (\d+) of (\d+)\.", line)
        assert all(certified == of and int(of) >= number for certified, of in numbers)
        assert len(numbers) == (claim.id in recorded())


def test_obligation_without_a_certificate_is_listed_with_the_reason(monkeypatch):
    """The record of a run that lost a certificate."""
    name = "pulls.java_v5_2_0.one-request"
    one = recorded()[name]
    lost = replace(one, share=replace(one.share, uncertified={"one-request.base": "cvc5 was ended"}))
    monkeypatch.setattr(ledger, "recorded", lambda: {**recorded(), name: lost})
    (line,) = [line for line in files()["ledger/pulls.md"].splitlines() if f'"{name}"' in line]
    number = one.share.obligations
    assert line.endswith(f"Certified: {number - 1} of {number}. Not certified: one-request.base: cvc5 was ended.")


def test_ledger_page_splits_every_sentence_into_two_parts():
    pages = files()
    for claim in LEDGER:
        about, stated = statement(claim)
        assert (f"{about}: {stated}" if about else stated) == readable(claim.sentence)
        before, item, _ = pages[from_docs(claim.id).partition("#")[0]].partition(f'- <a id="{claim.id}"></a>')
        assert item
        assert before[before.rindex("\n> ") :].startswith(f"\n> {capitalized(stated)}\n")
        if about:
            assert f"`{claim.id}` ({about}): " in "\n".join(pages.values())


def test_claim_below_another_statement_is_detected():
    """The blocks are taken from the page as in the test above."""
    text = files()["ledger/offsets.md"]
    first, second = re.findall(r"\n(> .+)\n\n- <a id=", text)[:2]
    assert first != second
    swapped = text.replace(first, "\0").replace(second, first).replace("\0", second)
    claim = next(one for one in LEDGER if f'{first}\n\n- <a id="{one.id}"' in text)
    before = swapped.partition(f'<a id="{claim.id}"></a>')[0]
    assert not before[before.rindex("\n> ") :].startswith(f"\n> {capitalized(statement(claim)[1])}\n")


def test_shared_texts_of_a_statement_are_printed_once():
    page = files()["ledger/transition.md"]
    for block in page.split("\n> ")[1:]:
        head, *items = block.partition("\n#")[0].split("\n- ")
        own = {item.partition(". Can throw or fail: ")[2] for item in items}
        assert ("Can throw or fail: " in head) is (own == {""})


def test_every_claim_is_on_the_page_once(text):
    assert [text.count(f"`{claim.id}`") for claim in LEDGER] == [1] * len(LEDGER)
    assert [text.count(f'<a id="{claim.id}">') for claim in LEDGER] == [1] * len(LEDGER)


def test_structural_and_derived_claims_are_marked_and_explained_once(text):
    for mark, names in ((": PROVED *by construction*, ", STRUCTURAL), (": PROVED (*follows from* [", FOLLOWS)):
        marked = [line for line in text.splitlines() if mark in line]
        assert sorted(re.findall(r"^- <a id=\"([^\"]+)\">", "\n".join(marked), re.MULTILINE)) == sorted(names)
    assert text.count("- *by construction*: ") == text.count("- *follows from*: ") == 1


def test_every_row_has_as_many_cells_as_its_header(text):
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, *rest = (len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines())
        assert set(rest) == {head}, table.splitlines()[0]


def test_each_function_has_a_row_with_all_its_clients():
    found = {row[0].removesuffix(" \\*"): row[1] for row in rows(glance(LEDGER))}
    assert list(found) == [of_client(BY_NAME[name]) for name in GLANCE]
    assert found["CONSISTENT_HASH (Java, Rust)"] == "Java 4.9, Java 5, Rust"
    shipped = sum(len(profile.strategies) for profile in PROFILES)
    assert sum(len(clients.split(", ")) for clients in found.values()) == shipped


GLANCE = (
    "avg",
    "circle",
    "room",
    "room-go",
    "room-rust",
    "hash",
    "hash-go",
    "nearby",
    "nearby-go",
    "config",
)


def test_marks_link_to_claims_with_that_verdict():
    expected = {claim.id: claim.expected for claim in LEDGER}
    marks = re.findall(r"\[([✓◇])\]\(ledger/\w+\.md#([^)]+)\)", glance(LEDGER))
    assert len(marks) > 40
    for mark, claim in marks:
        assert expected[claim] is {"✓": Verdict.PROVED, "◇": Verdict.REFUTED}[mark]


def test_function_with_another_name_is_found():
    assert twin(BY_NAME["nearby-go"]) is BY_NAME["avg"]
    assert [name for name, strategy in BY_NAME.items() if twin(strategy)] == ["avg", "nearby-go"]
    assert "MACHINE_ROOM_NEARBY (Go) is the same function as AVG." in glance(LEDGER)


@pytest.mark.parametrize(
    "note",
    [
        "- MACHINE_ROOM (Go): ✓ is for all numbers of queues and consumers with no room twice in consumeridcs.",
        "- MACHINE_ROOM_NEARBY (Java, Rust): ✓ of home is for any inner strategy that returns only queues of",
        "- CONSISTENT_HASH (Go): ✓ is for all hash functions",
    ],
)
def test_glance_table_explains_its_marks(note):
    assert note in glance(LEDGER)


def test_every_pair_of_clients_is_compared_once():
    pairs = 0
    for name in {strategy.rocketmq_name for strategy in ALL}:
        shipping = sum(profile.strategy(name) is not None for profile in PROFILES)
        pairs += shipping * (shipping - 1) // 2
    assert sum(found.pairs for found in pairings()) == pairs


def test_differing_functions_name_a_claim_and_a_group():
    found = {row[1]: row for row in rows(same_name(LEDGER))}
    another = "[clients.room+room-rust.same](ledger/clients.md#clients.room+room-rust.same)"
    assert found["Java 4.9 and Java 5 with Rust"][3] == f"another: {another}"
    group = "1 consumer, 1 queue: consumeridcs is {room1}; queue 0 on room1@broker-d@."
    assert f"\n- {another}: {group}" in same_name(LEDGER)
    assert "not claimed" not in same_name(LEDGER)


@pytest.mark.parametrize(
    ("one", "other", "things", "found"),
    [
        (utf16_units, utf8_bytes, LETTERS, (["😀", "｡"], ["｡", "😀"])),
        (cmp_to_key(by_value), cmp_to_key(by_int32_difference), GIVEN, None),
        (utf8_bytes, utf8_bytes, LETTERS, None),
    ],
)
def test_smallest_lists_with_different_orders_are_found(one, other, things, found):
    assert smallest_lists(one, other, things) == found


def test_impossible_queue_ids_are_sorted_differently():
    one, other = smallest_lists(cmp_to_key(by_value), cmp_to_key(by_int32_difference), NUMBERS)
    assert sorted(one) == sorted(other) == one
    assert min(one) < 0


def test_results_for_empty_arguments_are_listed():
    by_name = {profile.name: profile for profile in PROFILES}
    assert empties(by_name["go"]) == ("nil", "nil", "nil")
    assert empties(by_name["cpp"])[0] == "MQClientException: mqAll is empty"
    assert empties(by_name["java_v5"])[2] == "java.lang.IllegalArgumentException: currentCID is empty"


def test_every_enumeration_is_listed_with_its_size():
    found = rows(spaces(LEDGER))
    assert len(found) == len(checks(LEDGER))
    assert ["AVG", "agreed", "1 to 64", "1 to 64", "4,096"] in [row[:5] for row in found]
