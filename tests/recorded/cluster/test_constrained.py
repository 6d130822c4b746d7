"""Missing events are detected: due pulls, scans and rebalances, and unrecorded steps."""

from dataclasses import replace

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.driver import Topics
from rebalance_proofs.recorded.groups.event import ENDS, PULL, PULLING, QUERY, UPDATE
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    EntryGone,
    EntryNew,
    OffsetRemoved,
    ResetDone,
    Resumed,
    Resuming,
    Suspended,
    Suspending,
    Threw,
)
from tests.recorded.cluster.traces import changed, first, trace, whys, without

THROWN, HALF_OPEN, LOST = "java-5.3.3/thrown", "java-5.3.3/half_open", "java-5.3.3/lost_requests"


def _silent(run, *kinds):
    """The trace of which no process tells events of these kinds."""
    return replace(
        run, of={who: [one for one in events if not isinstance(one, kinds)] for who, events in run.of.items()}
    )


def test_missing_pull_is_detected():
    run = trace(THROWN)
    found = whys(_silent(run, Suspending, Suspended, Resuming, Resumed), "pulls")
    assert any("no pull of the queue was sent, although a request waits" in why for why in found)


def test_silent_loss_of_a_request_is_a_counted_hidden_step():
    """The entry without pulls is removed after two minutes, which reveals the lost request."""
    run = _silent(trace(THROWN), Threw)
    tally = CHECKS["pulls"](run, Calls(run))
    assert tally.accepted
    assert tally.widened > CHECKS["pulls"](trace(THROWN), Calls(trace(THROWN))).widened


def test_rebalance_without_the_last_change_is_detected():
    run = trace(THROWN)
    last = [one for one in run.kind(Allocate, "c0") if one.at > 100_000][:20]
    for event in last:
        run = changed(run, next(one for one in run.of["c0"] if one.n == event.n), cid_all=("127.0.0.1@c0",))
    assert whys(run, "settling")


def test_scan_without_a_removal_is_detected():
    run = trace(HALF_OPEN)
    row = [one for one in run.kind(Table, "b0") if one.what == "members"][-1]
    rest = [one for one in run.of["b0"] if one is not row]
    assert "a scan has changed the list, but no poll has seen that" in whys(
        replace(run, of={**run.of, "b0": rest}), "registry"
    )


def test_queues_missing_in_the_route_are_detected():
    run = trace(THROWN)
    grown = run.kind(Topics, "driver")[-1]
    assert "a rebalance has queues that no route poll has returned" in whys(
        changed(run, grown, at=grown.at + 60_000), "registry"
    )


def test_wrong_filter_expression_of_a_broker_is_detected():
    run = trace(THROWN)
    row = [one for one in run.kind(Table, "b0") if one.what == "subs"][-1]
    assert any(
        why == "the broker's table has another row"
        for why in whys(changed(run, row, is_=row.is_.replace("T1=*", "T1=B")), "subscriptions")
    )


def _resumed(run, who):
    """The effects of rebalances while the member is resumed."""
    since, until = run.kind(Resuming, who)[0].at, run.kind(Resumed, who)[0].at
    return [one for one in run.of[who] if since <= one.at <= until and isinstance(one, OffsetRemoved | EntryNew)]


def test_concurrent_rebalance_makes_the_effects_of_each():
    """The consumer is resumed during a rebalance: each effect on a queue belongs to one of both, in order."""
    run = trace(LOST)
    assert whys(run, "transition") == []
    removed = next(one for one in _resumed(run, "c0") if isinstance(one, OffsetRemoved))
    for lied in (without(run, removed), _again(run, removed, 3)):
        assert any("no run of the client's code has these effects" in why for why in whys(lied, "transition"))


def _again(run, event, times):
    """The trace in which that event comes so many times more."""
    lines = [again for one in run.of[event.who] for again in [one] * (1 + times * (one is event))]
    return replace(run, of={**run.of, event.who: [replace(one, row=row) for row, one in enumerate(lines, start=1)]})


def test_ended_pull_thread_pulls_no_queue():
    """An `Error` in `pullMessage` ends the only thread for pull requests, up to 5.3.2."""
    run = trace("java-4.9.8/lost_requests")
    assert whys(run, "pulls") == []
    error = next(one for one in run.kind(Threw, "c0") if one.error)
    pull = next(one for one in run.of["c0"] if isinstance(one, Ask) and one.code == PULL and one.said.q != error.q)
    later = replace(pull, at=error.at + 60_000)
    lines = sorted([*run.of["c0"], later], key=lambda one: one.at)
    assert "no request of the queue waits" in whys(replace(run, of={**run.of, "c0": lines}), "pulls")


def test_interrupted_thread_returns_no_request():
    run = trace(LOST)
    thrown = next(one for one in run.kind(Threw, "c1") if one.where == "interrupt")
    pulls = (one for one in run.of["c1"] if isinstance(one, Ask) and one.code == PULL and one.at > thrown.at)
    pull = next(one for one in pulls if one.said.q == thrown.q)
    lines = sorted([*run.of["c1"], replace(pull, at=thrown.at + 1_000)], key=lambda one: one.at)
    assert "no request of the queue waits" in whys(replace(run, of={**run.of, "c1": lines}), "pulls")


def test_first_pull_of_an_ordered_queue_starts_at_the_end_that_it_was_told():
    """Without a committed offset, from the last offset: the end is queried again at the first pull."""
    run = trace("java-4.9.7/last")
    assert whys(run, "offsets") == []
    ask = next(one for one in run.kind(Ask, "a0") if one.code == ENDS and one.thread == PULLING)
    answer = first(run, "a0", Answer, code=ENDS, opaque=ask.opaque)
    end = int(answer.said.offset)
    more = changed(run, answer, said=replace(answer.said, offset=end + 1))
    assert f"the pull starts at {end}, but the entry continues at {end + 1}" in whys(more, "offsets")


def test_only_rebalances_of_two_threads_query_one_offset_at_the_same_time():
    """``resume()`` rebalances on the thread of its caller, when the consumer's own thread does."""
    run = trace("java-5.3.3/lost_pulls")
    assert whys(run, "offsets") == []
    ask = next(one for one in run.kind(Ask, "x0") if one.code == QUERY and one.thread == "main")
    assert "no rebalance reads an offset now" in whys(changed(run, ask, thread="RebalanceService"), "offsets")


def test_reset_of_an_ordered_queue_commits_the_offset_that_it_stored_twice():
    """From 5.2 on. A listener that still runs may store its own offset before, which the reset does not persist."""
    run = trace("java-5.3.3/mixed_ordered")
    assert whys(run, "offsets") == []
    reset = run.kind(ResetDone, "r2")[0]
    gone = next(one for one in run.kind(EntryGone, "r2") if one.how == "reset" and one.at < reset.at)
    asks = [
        one for one in run.kind(Ask, "r2") if one.code == UPDATE and one.said.q == gone.q and one.at >= gone.at - 100
    ]
    more = changed(run, asks[1], said=replace(asks[1].said, commit_offset=int(asks[1].said.commit_offset) + 1))
    assert any(why.startswith("it commits") for why in whys(more, "offsets"))
