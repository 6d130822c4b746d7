"""A member that becomes silent, as when its host is lost; in these runs the others were notified."""

import pytest

from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.member import Allocate, Gap, Notified
from tests.recorded.groups.seen import Seen, recorded_run


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-4.9.8/b_sigstop")


def left(run: Seen) -> Table:
    """The row of the broker's table of members from which it is gone."""
    (row,) = (
        row
        for row in run.of(Table, "b0")
        if row.what == "members" and len(members(row.was)) == 2 and len(members(row.is_)) == 1
    )
    return row


def test_silent_member_is_listed_for_the_time_limit(run):
    stopped, goes_on = run.of(Signal, "driver")
    assert (stopped.signal, goes_on.signal) == ("SIGSTOP", "SIGCONT")
    last = max(event.at for event in run.heard("HEART_BEAT", "127.0.0.1@c1") if event.at < goes_on.at)
    assert last < stopped.at
    removed = left(run)
    assert [member.client_id for member in members(removed.is_)] == ["127.0.0.1@c0"]
    assert DEFAULTS.expired < removed.at - last < DEFAULTS.expired + DEFAULTS.scan


def test_other_member_is_notified_and_takes_over(run):
    """The scan of producers comes first and closes the channel: every client has a producer."""
    removed = left(run)
    told = [event.at for event in run.of(Notified, "c0") if abs(event.at - removed.at) < 1_000]
    assert len(told) == 1
    took = min(event.at for event in run.of(Allocate, "c0") if event.at > told[0])
    assert took - told[0] < 100
    rebalances = [event.at for event in run.of(Allocate, "c0") if event.topic == "T1"]
    before = max(at for at in rebalances if at < told[0])
    assert took - before < 20_000, "its timer would have come later"


def test_silent_member_was_paused_all_the_time(run):
    assert run.one(Gap, "c1").ms > 150_000
