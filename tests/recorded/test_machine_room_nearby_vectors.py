"""machine_room_nearby.tsv: tampered and malformed rows, and a wrong model."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.recorded import machine_room

HEADER = "#rooms_of_queues\trooms_of_consumers\tinner=AVG\tinner=CONSISTENT_HASH(10)"
ROW = "CCCCC\tCBCA\t012||34|\t2||0134|"


@pytest.fixture
def check(write, report_of):
    """Report for rows under the header."""

    def check_rows(*rows):
        write("machine_room_nearby.tsv", [HEADER, *rows])
        return report_of("machine_room_nearby.tsv")

    return check_rows


def test_nearby_vectors_agree(check):
    report = check(ROW, "A\tB\t0\t0", "BA\tBCBA\t0|||1\t||0|1")
    assert (report.failures, report.rows, report.checks) == ((), 3, 3 * 2 * 2)


@pytest.mark.parametrize(
    ("row", "inner", "recorded", "computed"),
    [
        ("CCCCC\tCBCA\t021||34|\t2||0134|", "inner=AVG", "021||34|", "012||34|"),
        ("CCCCC\tCBCA\t012||34|\t2|0134||", "inner=CONSISTENT_HASH(10)", "2|0134||", "2||0134|"),
    ],
)
def test_tampered_nearby_result_is_detected(row, inner, recorded, computed, check):
    report = check(ROW, row)
    assert [found.client for found in report.disagreements] == ["java", "rust"]
    for found in report.disagreements:
        assert (found.line, found.recorded, found.computed) == (3, recorded, computed)
        assert found.what == f"MACHINE_ROOM_NEARBY of queues CCCCC, consumers CBCA, {inner}"


MALFORMED = {
    "A\tB\t0": "3 columns, expected 4",
    "\tB\t\t": "rooms of 0 queues, not 1 to 10",
    "AAAAAAAAAAA\tB\t\t": "rooms of 11 queues, not 1 to 10",
    "A\t\t\t": "rooms of 0 consumers, not 1 to 100",
    "A\t" + "B" * 101 + "\t\t": "rooms of 101 consumers, not 1 to 100",
    "A\tB\t0|\t0": "inner=AVG has 2 consumers, c is 1",
    "A\tB\t0\tx": 'inner=CONSISTENT_HASH(10) has position "x", not a digit',
    "A\tB\t0\t1": "inner=CONSISTENT_HASH(10) has position 1, which is outside mqAll of 1 queues",
    "#rooms_of_queues": "the header is not #rooms_of_queues",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED.items(), ids=MALFORMED.values())
def test_malformed_nearby_row_concerns_only_itself(row, what, check):
    report = check(ROW, row, ROW)
    (malformed,) = report.malformed
    assert malformed.line == 3
    assert what in malformed.what
    assert (report.checks, report.disagreements) == (8, ())


def test_wrong_nearby_strategy_is_detected(check, monkeypatch):
    def inner_alone(inner, resolver):
        return inner

    others = tuple(strategy for strategy in JAVA_V5.strategies if strategy is not MACHINE_ROOM_NEARBY)
    wrong = replace(JAVA_V5, strategies=(*others, replace(MACHINE_ROOM_NEARBY, configure=inner_alone)))
    monkeypatch.setattr(machine_room, "CLIENTS", (wrong,))
    found = check(ROW).disagreements
    assert (found[0].recorded, found[0].computed) == ("012||34|", "01|2|3|4")
