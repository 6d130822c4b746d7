"""Conformance reports as sentences."""

import pytest

from rebalance_proofs.recorded.files import SENTENCES_PER_FILE, Conformance, Disagreement, FileReport, Malformed


def disagreement(recorded="0|1", computed="1|0", what="AVG of layout 1b, q=2, c=2"):
    return Disagreement("avg.tsv", 7, "java", what, recorded, computed)


def test_disagreement_names_the_row_and_both_results():
    assert disagreement().sentence == "avg.tsv:7: java, AVG of layout 1b, q=2, c=2: recorded 0|1, computed 1|0"


def test_long_results_are_cut_around_the_difference():
    same = "0," * 500
    sentence = disagreement(f"{same}1,{same}", f"{same}2,{same}").sentence
    assert len(sentence) < 500
    assert "0,0,1,0,0," in sentence
    assert "0,0,2,0,0," in sentence


def test_longer_result_is_shown_at_its_end():
    sentence = disagreement("ab" * 200, "ab" * 199).sentence
    assert sentence.endswith(f"recorded ...{'ab' * 11}, computed ...{'ab' * 10}")


def test_malformed_rows_and_files_are_named():
    assert Malformed("avg.tsv", 3, "q is 0").sentence == "avg.tsv:3: q is 0"
    assert Malformed("avg.tsv", 0, "contains no row").sentence == "avg.tsv: contains no row"


def test_unprintable_characters_are_escaped():
    assert Malformed("a.tsv", 1, "x\x1b\n\ud83d\u00e9").sentence == "a.tsv:1: x\\u001b\\n\\ud83d\u00e9"
    assert "\x1b" not in disagreement(what="\x1b").sentence


@pytest.mark.parametrize("count", [0, 1, SENTENCES_PER_FILE, SENTENCES_PER_FILE + 1, 5000])
def test_many_failures_are_counted(count):
    malformed = (Malformed("avg.tsv", 1, "bad"),)
    report = FileReport("avg.tsv", 5000, 5000, (disagreement(),) * count, malformed)
    total, told = count + 1, report.failures
    if total <= SENTENCES_PER_FILE:
        assert len(told) == total
    else:
        assert len(told) == SENTENCES_PER_FILE + 1
        assert told[-1] == (
            f"avg.tsv: {total - SENTENCES_PER_FILE} more failures (malformed: 1, disagreements: {count})"
        )
    assert told[0] == "avg.tsv:1: bad"


@pytest.mark.parametrize(
    ("report", "green"),
    [
        (FileReport("a.tsv", 1, 1), True),
        (FileReport("a.tsv", 1, 1, skipped={"not modelled": 1}), True),
        (FileReport("a.tsv", 1, 0, skipped={"not modelled": 1}), False),
        (FileReport("a.tsv", 1, 1, (disagreement(),)), False),
        (FileReport("a.tsv", 2, 1, (), (Malformed("a.tsv", 2, "bad"),)), False),
    ],
    ids=["agrees", "partly skipped", "nothing compared", "disagrees", "malformed"],
)
def test_green_needs_agreement_and_no_failures(report, green):
    assert Conformance((report,)).green is green
    assert Conformance((report, FileReport("b.tsv", 1, 1))).green is (green or not report.checks)
