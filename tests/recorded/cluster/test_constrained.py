"""What did not happen is noticed, too: pulls, scans and rebalances that were due, and steps that nobody told."""

from dataclasses import replace

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.codes import PULL
from rebalance_proofs.recorded.groups.driver import Topics
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    EntryNew,
    OffsetRemoved,
    Resumed,
    Resuming,
    Suspended,
    Suspending,
    Threw,
)
from tests.recorded.cluster.traces import changed, trace, whys, without

THROWN, HALF_OPEN, LOST = "java-5.3.3/thrown", "java-5.3.3/half_open", "java-5.3.3/lost_requests"


def _silent(run, *kinds):
    """The trace of which no process tells events of these kinds."""
    return replace(
        run, of={who: [one for one in events if not isinstance(one, kinds)] for who, events in run.of.items()}
    )


def test_a_member_that_does_not_pull_and_was_not_suspended():
    run = trace(THROWN)
    found = whys(_silent(run, Suspending, Suspended, Resuming, Resumed), "pulls")
    assert any("no pull of the queue was sent, although a request waits" in why for why in found)


def test_a_request_that_is_lost_without_a_word_is_a_hidden_step_and_counted():
    """The entry that is not pulled any more leaves after two minutes: by that it is known."""
    run = _silent(trace(THROWN), Threw)
    tally = CHECKS["pulls"](run, Calls(run))
    assert tally.accepted
    assert tally.widened > CHECKS["pulls"](trace(THROWN), Calls(trace(THROWN))).widened


def test_a_rebalance_that_has_not_seen_the_last_change():
    run = trace(THROWN)
    last = [one for one in run.kind(Allocate, "c0") if one.at > 100_000][:20]
    for event in last:
        run = changed(run, next(one for one in run.of["c0"] if one.n == event.n), cid_all=("127.0.0.1@c0",))
    assert whys(run, "settling")


def test_a_scan_that_removed_nobody():
    run = trace(HALF_OPEN)
    row = [one for one in run.kind(Table, "b0") if one.what == "members"][-1]
    rest = [one for one in run.of["b0"] if one is not row]
    assert "a scan has changed the list, but no poll has seen that" in whys(
        replace(run, of={**run.of, "b0": rest}), "registry"
    )


def test_queues_that_the_route_does_not_have_yet():
    run = trace(THROWN)
    grown = run.kind(Topics, "driver")[-1]
    assert "a rebalance has queues that no route poll has returned" in whys(
        changed(run, grown, at=grown.at + 60_000), "registry"
    )


def test_a_broker_that_filters_by_another_expression():
    run = trace(THROWN)
    row = [one for one in run.kind(Table, "b0") if one.what == "subs"][-1]
    assert any(
        "the broker's table has" in why
        for why in whys(changed(run, row, is_=row.is_.replace("T1=*", "T1=B")), "subscriptions")
    )


def _resumed(run, who):
    """The effects of rebalances while the member is resumed."""
    since, until = run.kind(Resuming, who)[0].at, run.kind(Resumed, who)[0].at
    return [one for one in run.of[who] if since <= one.at <= until and isinstance(one, OffsetRemoved | EntryNew)]


def test_a_rebalance_beside_the_threads_does_what_each_of_both_would_do():
    """Somebody resumes the consumer while the thread rebalances: each effect on a queue is one of theirs, in order."""
    run = trace(LOST)
    assert whys(run, "transition") == []
    removed = next(one for one in _resumed(run, "c0") if isinstance(one, OffsetRemoved))
    for lied in (without(run, removed), _again(run, removed, 3)):
        assert any("no run of the client's code has these effects" in why for why in whys(lied, "transition"))


def _again(run, event, times):
    """The trace in which that event comes so many times more."""
    lines = [again for one in run.of[event.who] for again in [one] * (1 + times * (one is event))]
    return replace(run, of={**run.of, event.who: [replace(one, row=row) for row, one in enumerate(lines, start=1)]})


def test_a_thread_that_has_ended_pulls_nothing_of_any_queue():
    """An `Error` in `pullMessage` ends the one thread that takes requests, up to 5.3.2."""
    run = trace("java-4.9.8/lost_requests")
    assert whys(run, "pulls") == []
    error = next(one for one in run.kind(Threw, "c0") if one.error)
    pull = next(one for one in run.of["c0"] if isinstance(one, Ask) and one.code == PULL and one.said.q != error.q)
    later = replace(pull, at=error.at + 60_000)
    lines = sorted([*run.of["c0"], later], key=lambda one: one.at)
    assert "no request of the queue waits" in whys(replace(run, of={**run.of, "c0": lines}), "pulls")


def test_an_interrupted_thread_puts_no_request_back():
    run = trace(LOST)
    thrown = next(one for one in run.kind(Threw, "c1") if one.where == "interrupt")
    pulls = (one for one in run.of["c1"] if isinstance(one, Ask) and one.code == PULL and one.at > thrown.at)
    pull = next(one for one in pulls if one.said.q == thrown.q)
    lines = sorted([*run.of["c1"], replace(pull, at=thrown.at + 1_000)], key=lambda one: one.at)
    assert "no request of the queue waits" in whys(replace(run, of={**run.of, "c1": lines}), "pulls")
