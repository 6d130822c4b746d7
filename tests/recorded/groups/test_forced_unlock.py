"""Since 5.2 the lock of a removed queue is released under its listener if not renewed for 20 s."""

import pytest

from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.member import Answer, Ask, Entry, EntryGone
from tests.recorded.groups.seen import LOCK, Seen, recorded_run


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-5.3.3/ordered_all")


def test_two_listeners_run_with_default_settings(run):
    """The group with listeners of 12 s; no other group of the run has any."""
    found = run.at_once()
    assert {both.first.q: both.ms for both in found} == {"T1:b0:5": 103, "T1:b0:6": 132, "T1:b0:7": 77}
    for both in found:
        assert (both.first.who, both.second.who) == ("J12c0", "J12c1")
        assert both.first.offsets == both.second.offsets


def test_both_renewals_had_failed(run):
    """The broker granted them; its answers took longer than the timeout of one second."""
    asked = [
        event
        for event in run.of(Ask, "J12c0")
        if event.code == LOCK and len(event.said.queues) > 1 and 120_000 < event.at < 151_361
    ]
    assert [event.at for event in asked] == [137_169, 137_193]
    assert len({event.thread for event in asked}) == 2
    for ask in asked:
        (granted,) = (
            event
            for event in run.of(Answered, "b0")
            if event.code == LOCK and event.opaque == ask.opaque and event.asked.client_id == "127.0.0.1@J12c0"
        )
        (came,) = (event for event in run.of(Answer, "J12c0") if event.opaque == ask.opaque)
        assert granted.said.granted == ask.said.queues
        assert came.at - ask.at > DEFAULTS.delay


def test_old_locks_are_released_immediately(run):
    looks = [look for look in run.of(Entry, "J12c0") if look.dropped and 151_000 < look.at < 151_400]
    assert {look.q for look in looks} == {f"T1:b0:{number}" for number in (4, 5, 6, 7)}
    assert {look.lock_age for look in looks} == {34_220}
    assert looks[0].lock_age > DEFAULTS.unlock
    for q in ("T1:b0:5", "T1:b0:6", "T1:b0:7"):
        (gone,) = (event for event in run.of(EntryGone, "J12c0") if event.q == q and 151_000 < event.at < 152_000)
        assert gone.at - looks[0].at < 100
        assert [call for call in run.calls if call.who == "J12c0" and call.q == q and call.runs(gone.at)]


def test_claim_without_the_time_assumption_is_refuted_by_the_recording(run):
    (claim,) = select(["ordered.java_v5_2.exclusive.without-time"])
    assert not claim.holds
    assert run.at_once("J12")


def test_listener_of_25_s_loses_its_lock_and_returns_before_the_other_starts(run):
    """By 0.4 to 0.7 s, due to the next lock request and the delay of the first pull."""
    for q in ("T1:b0:4", "T1:b0:5", "T1:b0:6", "T1:b0:7"):
        (gone,) = (event for event in run.of(EntryGone, "O25c0") if event.q == q)
        (under,) = (call for call in run.calls if call.who == "O25c0" and call.q == q and call.runs(gone.at))
        marked = next(look for look in run.of(Entry, "O25c0") if look.q == q and look.dropped)
        assert marked.in_table
        assert gone.at - marked.at + marked.lock_age > DEFAULTS.unlock
        begun = min(call.begin for call in run.calls if call.who == "O25c1" and call.q == q)
        assert 400 < begun - under.end < 700
