"""sort_cases.jsonl: tampered and malformed rows, and clients that sort in another client's way."""

import json
from dataclasses import replace

import pytest

from rebalance_proofs.model.profiles import RECORDED
from rebalance_proofs.model.queues import by_value, utf8_bytes, utf16_units
from rebalance_proofs.recorded import jsonl

SORTED = {"mq": [["b", 0], ["b", 1]], "cid": ["c0", "c1"], "r": [[0], [1]]}
INPUTS = {"case": "a case", "mq": [["b", 1], ["b", 0]], "cid": ["c1", "c0"]}
GOOD = INPUTS | {"java": SORTED, "go": SORTED}


@pytest.fixture
def check(write, report_of):
    """Report for rows given as objects."""

    def check_rows(*rows):
        write("sort_cases.jsonl", [json.dumps(row) for row in rows])
        return report_of("sort_cases.jsonl")

    return check_rows


def test_sort_vectors_agree(check):
    report = check(GOOD)
    assert (report.failures, report.rows, report.checks) == ((), 1, 6)


@pytest.mark.parametrize(
    ("key", "recorded", "computed", "what"),
    [
        ("mq", [["b", 1], ["b", 0]], [["b", 0], ["b", 1]], "order of queues, a case"),
        ("mq", [["b", 0], ["b", 0]], [["b", 0], ["b", 1]], "order of queues, a case"),
        ("cid", ["c1", "c0"], ["c0", "c1"], "order of client ids, a case"),
        ("r", [[0, 1], []], [[0], [1]], "AVG, a case"),
        ("r", [[0], {"x": "Error", "m": ""}], [[0], [1]], "AVG, a case"),
    ],
)
def test_tampered_sort_value_is_detected(key, recorded, computed, what, check):
    report = check(GOOD, GOOD | {"go": SORTED | {key: recorded}})
    (found,) = report.disagreements
    assert (found.line, found.client, found.what) == (2, "go", what)
    assert (json.loads(found.recorded), json.loads(found.computed)) == (recorded, computed)
    assert report.checks == 12


MALFORMED = [
    (GOOD | {"mq": [["b", 1], None]}, "mq or cid contains a null, which cannot be sorted"),
    (GOOD | {"mq": [[None, 1]]}, "mq or cid contains a null, which cannot be sorted"),
    (GOOD | {"cid": [None]}, "mq or cid contains a null, which cannot be sorted"),
    (GOOD | {"mq": None}, "mq is null, not a list of queues"),
    (INPUTS, "no client's result"),
    (GOOD | {"go": None}, "go is null, not an object of mq, cid and r"),
    (GOOD | {"go": {"mq": [], "cid": []}}, 'no "r"'),
    (GOOD | {"go": SORTED | {"cid": [None, "c1"]}}, "go.mq or go.cid contains a null, which cannot be sorted"),
    (GOOD | {"go": SORTED | {"r": [[0]]}}, "go.r is [[0]], not a list of 2 results, one for each cid"),
    (GOOD | {"go": SORTED | {"r": [[0], [2]]}}, "go.r has position 2, which is outside mqAll of 2 queues"),
]


@pytest.mark.parametrize(("row", "what"), MALFORMED, ids=[str(place) for place in range(len(MALFORMED))])
def test_malformed_sort_row_concerns_only_itself(row, what, check):
    report = check(GOOD, row, GOOD)
    (malformed,) = report.malformed
    assert malformed.line == 2
    assert what in malformed.what
    assert (report.rows, report.checks, report.disagreements) == (3, 12, ())


def test_unknown_client_of_sort_cases_is_a_disagreement(check):
    report = check(GOOD | {"php": {}})
    (found,) = report.disagreements
    assert (found.client, found.computed) == ("php", "nothing: neither an input nor a client that is modelled")
    assert (report.checks, report.malformed, report.skipped) == (6 + 1, (), {})


def as_text(left, right):
    """queueIds as strings: 10 before 9."""
    return (str(left) > str(right)) - (str(left) < str(right))


@pytest.mark.parametrize(
    ("change", "noticed"),
    [
        ({"string_key": utf8_bytes}, {"java", "node"}),
        ({"string_key": utf16_units}, {"go", "cpp", "rust"}),
        ({"compare_queue_ids": by_value}, {"java", "cpp"}),
        ({"compare_queue_ids": as_text}, {"java", "go", "node", "cpp", "rust"}),
    ],
    ids=["bytes", "units", "by value", "as text"],
)
def test_client_with_another_order_is_detected(change, noticed, own_vectors, monkeypatch, write, report_of):
    monkeypatch.setattr(jsonl, "RECORDED", tuple(replace(profile, **change) for profile in RECORDED))
    write("sort_cases.jsonl", (own_vectors / "sort_cases.jsonl").read_bytes())
    report = report_of("sort_cases.jsonl")
    assert {found.client for found in report.disagreements} == noticed
