"""``shutdown()`` interrupts running listeners; partial work is committed if they return success."""

import pytest

from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.member import ShutdownBegin
from tests.recorded.groups.seen import SCENARIOS, Call, Seen, recorded_run


def first_commit_after(run: Seen, call: Call) -> tuple[int, int]:
    """What the first change of a queue's committed offset after the end of a call made of it, and when."""
    topic, _, number = call.q.split(":")
    of = f"{topic}@{run.group(call.who)}:{number}"
    rows = (row for row in run.of(Table, "b0") if row.what == "offset" and row.of == of and row.at >= call.end)
    first = next(rows)
    return int(first.is_), first.at


def interrupted(run: Seen, who: str) -> list[Call]:
    return [call for call in run.calls if call.who == who and call.interrupted]


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-4.9.8/j_shutdown")


@pytest.mark.parametrize(("who", "after", "cut_short"), [("c1", 0, 8), ("w1", 10_000, 8)])
def test_half_done_messages_are_committed_and_not_redelivered(run, who, after, cut_short):
    """At once by default, and after awaitTerminationMillisWhenShutdown where that is set."""
    assert run.run.consumers[who].settings.get("awaitTerminationMillisWhenShutdown", 0) == after
    calls = interrupted(run, who)
    assert len(calls) == cut_short
    for call in calls:
        assert after <= call.end - run.shutdown(who) < after + 50
        assert call.end - call.begin < run.run.consumers[who].ms
        offset, at = first_commit_after(run, call)
        assert offset > call.offsets[-1]
        assert at < run.shutdown(who) + after + 500
        again = [
            other
            for other in run.calls
            if other != call and other.q == call.q and run.group(other.who) == run.group(who)
            if set(other.offsets) & set(call.offsets)
        ]
        assert not again


def test_running_listeners_are_interrupted_by_default(run):
    shutdown = run.shutdown("c1")
    assert [call for call in run.calls if call.who == "c1" and call.runs(shutdown)] == interrupted(run, "c1")
    assert not [call for call in run.calls if call.who == "c1" and call.begin > shutdown]


def test_concurrent_calls_start_after_shutdown_with_a_backlog(run):
    begun = [call for call in run.calls if call.who == "w1" and call.begin > run.shutdown("w1")]
    assert len(begun) == 24
    assert sum(call.interrupted for call in begun) == 8


def test_only_shutdown_interrupts_listeners():
    for scenario in SCENARIOS:
        one = recorded_run(scenario)
        shut_down = {event.who: event.at for event in one.of(ShutdownBegin)}
        for call in one.calls:
            if call.interrupted:
                assert call.end >= shut_down[call.who], (scenario, call)


@pytest.fixture(scope="module")
def ordered() -> Seen:
    return recorded_run("java-4.9.8/c2_ordered_long")


def test_interrupted_ordered_calls_are_committed(ordered):
    calls = interrupted(ordered, "c1")
    assert len(calls) == 4
    for call in calls:
        assert 23_000 < call.end - call.begin < 25_000
        assert first_commit_after(ordered, call)[0] == call.offsets[-1] + 1
        assert not [
            other
            for other in ordered.calls
            if other.q == call.q and other.begin > call.end and other.offsets == call.offsets
        ]


def test_ordered_calls_after_shutdown_overlap_with_new_owners(ordered):
    shutdown = ordered.shutdown("c1")
    begun = [call for call in ordered.calls if call.who == "c1" and call.begin > shutdown]
    assert len(begun) == 4
    found = [both for both in ordered.at_once() if both.first in begun]
    assert {both.first.q: both.ms for both in found} == {
        "T1:b0:4": 24_857,
        "T1:b0:5": 24_877,
        "T1:b0:6": 24_865,
        "T1:b0:7": 24_861,
    }
    for both in found:
        assert both.second.who == "c0"
        assert both.first.offsets == both.second.offsets
        assert both.first.begin - shutdown < 20


def test_result_of_a_call_after_shutdown_is_lost(ordered):
    """The new owner's result is committed: the message was consumed twice."""
    (last,) = {call.offsets for call in ordered.calls if call.who == "c1" and call.begin > ordered.shutdown("c1")}
    for call in ordered.calls:
        if call.who == "c0" and call.begin > ordered.shutdown("c1") and call.offsets == last:
            assert first_commit_after(ordered, call)[0] == last[0] + 1
