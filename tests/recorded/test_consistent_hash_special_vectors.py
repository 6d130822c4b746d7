"""consistent_hash_special.jsonl: tampered and malformed rows, and rows that no other test covers."""

import json

import pytest

ROW = {
    "id": 15,
    "case": "minimal",
    "v": 10,
    "topic": "T",
    "mq": [["broker-a", 0], ["broker-a", 1], ["broker-a", 2]],
    "cid": ["c0", "c1"],
    "note": "",
    "java": [[0, 1], [2]],
    "go": [[0, 1, 2], []],
    "rust": [[0, 1], [2]],
}


@pytest.fixture
def check(write, report_of):
    """Report for rows given as objects or as text."""

    def check_rows(*rows):
        write("consistent_hash_special.jsonl", [row if isinstance(row, str) else json.dumps(row) for row in rows])
        return report_of("consistent_hash_special.jsonl")

    return check_rows


def test_special_hash_vectors_agree(check):
    report = check(ROW)
    assert (report.failures, report.rows, report.checks, report.skipped) == ((), 1, 3, {})


def test_topic_is_part_of_the_hash(check):
    report = check(ROW | {"topic": "TopicTest"})
    assert {"java", "rust"} <= {found.client for found in report.disagreements}


def test_tampered_special_hash_result_is_detected(check):
    (found,) = check(ROW, ROW | {"go": [[0, 1], [2]]}).disagreements
    assert (found.line, found.client, found.what) == (2, "go", "CONSISTENT_HASH, minimal")
    assert (found.recorded, found.computed) == ("[[0, 1], [2]]", "[[0, 1, 2], []]")


def test_every_recorded_special_hash_result_counts(own_vectors, check):
    rows = [
        json.loads(line)
        for line in (own_vectors / "consistent_hash_special.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    for row in rows:
        for client in ("java", "go", "rust"):
            row[client] = [share[1:] if share else [0] for share in row[client]]
    report = check(*rows)
    assert report.malformed == ()
    assert len(report.disagreements) == report.checks == 33


MALFORMED = [
    ("[", "not JSON: "),
    ({key: value for key, value in ROW.items() if key != "topic"}, 'no "topic"'),
    ({key: value for key, value in ROW.items() if key != "v"}, 'no "v"'),
    (ROW | {"topic": None}, "topic is null, not a text"),
    (ROW | {"mq": "T"}, 'mq is "T", not a list of queues'),
    (ROW | {"java": [[0, 1]]}, "java is [[0, 1]], not a list of 2 results, one for each cid"),
    (ROW | {"rust": [[0, 1], [3]]}, "rust has position 3, which is outside mqAll of 3 queues"),
]


@pytest.mark.parametrize(("row", "what"), MALFORMED, ids=[str(place) for place in range(len(MALFORMED))])
def test_malformed_special_hash_row_concerns_only_itself(row, what, check):
    report = check(ROW, row, ROW)
    (malformed,) = report.malformed
    assert malformed.line == 2
    assert what in malformed.what
    assert (report.rows, report.checks, report.disagreements) == (3, 6, ())


def test_unknown_client_of_special_hash_is_a_disagreement(check):
    report = check(ROW | {"php": []})
    (found,) = report.disagreements
    assert (found.client, found.computed) == ("php", "nothing: neither an input nor a client that is modelled")
    assert (report.checks, report.malformed, report.skipped) == (3 + 1, (), {})
