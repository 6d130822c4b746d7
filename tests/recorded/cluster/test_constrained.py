"""What did not happen is noticed, too: pulls, scans and rebalances that were due, and steps that nobody told."""

from dataclasses import replace

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.driver import Topics
from rebalance_proofs.recorded.groups.member import Allocate, Resumed, Resuming, Suspended, Suspending, Threw
from tests.recorded.cluster.traces import changed, trace, whys

THROWN, HALF_OPEN = "java-5.3.3/thrown", "java-5.3.3/half_open"


def _silent(run, *kinds):
    """The trace of which no process tells events of these kinds."""
    return replace(
        run, of={who: [one for one in events if not isinstance(one, kinds)] for who, events in run.of.items()}
    )


def test_a_member_that_does_not_pull_and_was_not_suspended():
    run = trace(THROWN)
    found = whys(_silent(run, Suspending, Suspended, Resuming, Resumed), "pulls")
    assert any("no pull of the queue was sent, though a request of it waits" in why for why in found)


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
    assert "a scan has changed what is listed, and no look has seen that" in whys(
        replace(run, of={**run.of, "b0": rest}), "registry"
    )


def test_queues_that_the_route_does_not_have_yet():
    run = trace(THROWN)
    grown = run.kind(Topics, "driver")[-1]
    assert "a rebalance has queues that no poll has brought" in whys(
        changed(run, grown, at=grown.at + 60_000), "registry"
    )


def test_a_broker_that_filters_by_another_expression():
    run = trace(THROWN)
    row = [one for one in run.kind(Table, "b0") if one.what == "subs"][-1]
    assert any(
        "the broker's table has" in why
        for why in whys(changed(run, row, is_=row.is_.replace("T1=*", "T1=B")), "subscriptions")
    )
