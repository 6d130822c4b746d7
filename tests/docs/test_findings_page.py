"""The findings page and its pictures are generated, up to date, and agree with the ledger."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.allocation.caption import told
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.findings.__main__ import write
from rebalance_proofs.report.findings.page import PICTURES, Picture, files, links_to, moves, page, picture, survival
from rebalance_proofs.report.findings.page import told as trace_of
from tests.each import each
from tests.report.long import not_sought

DOCS = Path(__file__).parents[2] / "docs" / "reference"


@pytest.fixture(scope="module")
def generated():
    with not_sought():
        return files()


def test_findings_page_and_pictures_are_up_to_date(generated):
    for path, text in generated.items():
        assert (DOCS / path).read_text(encoding="utf-8") == text, path


def test_findings_folder_has_no_other_pictures(generated):
    drawn = {f"findings/{path.name}" for path in (DOCS / "findings").iterdir()}
    assert drawn == {path for path in generated if path.startswith("findings/")}


def test_every_picture_is_shown_once():
    shown = re.findall(r"\]\(findings/([^)]+)\.svg\)", page())
    assert sorted(shown) == sorted(PICTURES)


def test_findings_are_generated_reproducibly(generated):
    assert files() == generated


def test_removed_pictures_are_deleted(tmp_path):
    (tmp_path / "findings").mkdir()
    (tmp_path / "findings" / "gone.svg").write_text("", encoding="utf-8")
    write(tmp_path)
    assert not (tmp_path / "findings" / "gone.svg").exists()
    assert (tmp_path / "findings.md").exists()


@each("name", PICTURES)
def test_picture_shows_the_verdict_of_its_claim(name, generated):
    found = PICTURES[name]
    example = found.example
    if found.claim.expected is Verdict.REFUTED:
        assert found.claim.guarantee.violation(example.group, example.group.allocate()) == example.sentence
    else:
        assert found.says == example.sentence
    root = ElementTree.fromstring(generated[f"findings/{name}.svg"])
    assert root.get("width")
    shown, *below = picture(name).split("\n\n")
    assert shown.endswith(f"{told(example)}](findings/{name}.svg)")
    # What is replayed is the claim's smallest counterexample: another group has no such command.
    (line,) = below
    assert line.startswith(f"Step by step: `rebalance replay {found.id}`") is (found.size is None)
    assert line.endswith(f"Real clients: {seen(found.claim).word}.")


@each("id_", ("offsets.java_v5.once", "settling.java_v4_9_to_v5_1.woken.without-timely"))
def test_trace_has_an_initial_state_numbered_steps_and_a_result(id_):
    begin, steps, result, command = trace_of(id_).split("\n\n")
    lines = steps.split("\n")
    assert not re.match(r"\d", begin)
    assert [line.partition(". ")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert not any(re.match(r"\d+\. \d+\. ", line) for line in lines)
    assert result.startswith("Result: ")
    assert command.startswith(f"Step by step: `rebalance replay {id_}`")


def test_transition_trace_begins_with_the_consumer_and_its_queues():
    begin, _, result, _ = trace_of("transition.java_v5_2.kept.push").split("\n\n")
    assert begin == "Java 5.2 to 5.4.0, a push consumer. It holds queue 0 of T: the last pull was 120.001 s ago."
    assert result == "Result: Queue 0 of T still belongs to this client, but its process queue is replaced."


def test_chosen_groups_have_the_smallest_size():
    """Where another group than the first of its size is shown, the size is still the smallest."""
    for name in ("clients-hash", "clients-hash-same"):
        chosen = PICTURES[name]
        first = Picture(chosen.id).example
        assert (first.consumers, first.queues) == chosen.size


def test_group_that_is_no_counterexample_is_refused():
    with pytest.raises(LookupError, match="is no counterexample"):
        _ = Picture("allocation.avg.disjoint.without-distinct-ids", (2, 1), (0,)).example


def test_text_that_contradicts_the_ledger_is_refused():
    with pytest.raises(LookupError, match=r"allocation\.avg\.disjoint as REFUTED; the ledger expects PROVED"):
        links_to(Verdict.REFUTED)("allocation.avg.disjoint")


def test_survival_table_agrees_with_the_ledger():
    expected = {claim.id: claim.expected for claim in LEDGER}
    links = re.findall(r"\[(duplicate|no reader)\]\(ledger/\w+\.md#([^)]+)\)", survival())
    assert len(links) > 40
    for consequence, claim in links:
        assert expected[claim] is Verdict.REFUTED
        assert claim.split(".")[2] == {"duplicate": "disjoint", "no reader": "covers"}[consequence]
    assert "| neither |" in survival()


def test_moved_queues_are_counted():
    assert "| AVG | 6 | 4 | 6 |" in moves(12, 3)
    assert "| AVG_BY_CIRCLE | 9 | 9 | 9 |" in moves(12, 3)
