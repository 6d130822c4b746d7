"""Facts of a run about its processes: releases, lifetimes, and where entries began."""

import pytest

from rebalance_proofs.recorded.groups.run import shipped
from rebalance_proofs.recorded.seen.history import History
from tests.recorded.seen.runs import Made, Q


def test_release_is_known_from_process_driver_or_folder(tmp_path):
    made = Made("5.3.3").member("c0").member("c1", client="49")
    made.line("b0", 1, "release", rocketmq="V5_1_4", java="17")
    found = made.history(tmp_path, 1_000)
    assert [found.release(who) for who in ("c0", "c1", "b0")] == [(5, 3, 3), (4, 9, 8), (5, 1, 4)]


def test_mixed_releases_of_a_recording_are_known():
    found = History(shipped("java-5.3.3", "zoo"))
    assert {who: found.release(who) for who in found.groups["MX"]} == {"x0": (5, 3, 3), "x1": (4, 9, 8)}


@pytest.mark.parametrize(("code", "found"), [("HEART_BEAT", ((11_000, 60_000),)), ("PULL_MESSAGE", ())])
def test_broker_that_records_no_request_for_long_was_stopped(code, found, tmp_path):
    """It does not record each pull, so pulls show nothing."""
    made = Made().member("c0")
    for number, (sent, heard) in enumerate([(10_999, 11_000), (20_000, 60_000)]):
        said = {"clientID": "127.0.0.1@c0", "groups": []}
        for ask in dict.fromkeys([code, "HEART_BEAT"] if number == 0 else [code]):
            made.line("c0", sent, "ask", code=ask, opaque=number, oneway=False, to="b", thread="t", said=said)
        made.line("b0", heard, "heard", code="HEART_BEAT", from_="x", opaque=number, said=said)
    assert made.history(tmp_path, 90_000).frozen == {"b0": found}


def test_lifetimes_are_recorded(tmp_path):
    made = Made().member("c0", at=10).member("c1", at=20).member("c2", at=30)
    made.signal("c0", 100, "SIGSTOP").signal("c0", 300, "SIGCONT").signal("c0", 400, "SIGKILL")
    made.line("c1", 500, "shutdown-begin").line("c1", 600, "quit").signal("c2", 700, "SIGSTOP")
    made.signal("b0", 200, "SIGTERM").line("driver", 250, "broker-ended", of="b0").line("b0", 350, "broker-started")
    made.line("driver", 800, "delay", of="b0", ms=50).line("driver", 900, "delay", of="b0", ms=0)
    made.line("c2", 950, "gap", ms=40)
    found = made.history(tmp_path, 1_000)
    assert found.joined == {"c0": 10, "c1": 20, "c2": 30}
    assert found.left == {"c0": 400, "c1": 500}
    assert found.ended == {"c0": 400, "c1": 600}
    assert found.stopped == {"c0": ((100, 300),), "c2": ((700, 1_000),)}
    assert found.down == {"b0": ((200, 350),)}
    assert found.delays == ((800, 1_000),)
    assert found.gaps == {"c2": ((910, 950),)}
    assert found.calm


def test_entries_and_start_offsets_are_recorded(tmp_path):
    made = Made().member("c0").entry("c0", 100, 7, end=500, since_pull=30).pulled("c0", 150, 9, 8)
    made.line("c0", 140, "offset-read", q=Q, type="READ_FROM_STORE", result=8)  # once more, under the lock
    made.entry("c0", 600, -1).line("c0", 700, "offset-read", q=Q, type="MEMORY_FIRST_THEN_STORE", result=3)
    first, second = made.history(tmp_path, 1_000).held["G"]
    assert (first.begin, first.end, first.how, first.read, first.first, first.since_pull) == (
        100,
        500,
        "remove",
        8,
        8,
        30,
    )
    assert (second.begin, second.end, second.how, second.read, second.first) == (600, 1_000, "", -1, None)
