"""Ordered consumers continue after ``shutdown()`` while there is a backlog, for any wait for listeners."""

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.recorded.groups.member import EntryNew, OffsetUpdate, ShutdownEnd
from tests.recorded.groups.seen import LOCK, UNLOCK, Seen, recorded_run

AWAIT = 5_000
LISTENER = 2_000


@pytest.fixture(scope="module")
def backlog() -> Seen:
    return recorded_run("java-4.9.8/n_await_ordered")


@pytest.fixture(scope="module")
def none_waiting() -> Seen:
    return recorded_run("java-4.9.8/o_shutdown_ordered")


def test_wait_is_longer_than_a_listener_call(backlog):
    assert {started.settings["awaitTerminationMillisWhenShutdown"] for started in backlog.run.consumers.values()} == {
        AWAIT
    }
    assert {started.ms for started in backlog.run.consumers.values()} == {LISTENER}
    assert AWAIT > LISTENER


def test_new_calls_start_after_shutdown(backlog):
    begun = [call for call in backlog.calls if call.who == "c1" and call.begin > backlog.shutdown("c1")]
    assert len(begun) == 24
    assert {call.q for call in begun} == {f"T1:b0:{number}" for number in (4, 5, 6, 7)}


def test_running_calls_are_interrupted_after_the_wait(backlog):
    shutdown = backlog.shutdown("c1")
    mine = [call for call in backlog.calls if call.who == "c1"]
    cut = [call for call in mine if call.interrupted]
    assert len(cut) == 4
    for call in cut:
        assert AWAIT <= call.end - shutdown < AWAIT + 100
        (successor,) = (other for other in mine if other.q == call.q and call.end <= other.begin <= call.end + 10)
        assert not successor.interrupted
        assert successor.end - successor.begin >= LISTENER


def test_locks_are_released_after_twice_the_wait(backlog):
    """``ThreadUtils.shutdownGracefully`` waits, interrupts, and waits once more."""
    (unlock,) = backlog.heard(UNLOCK, "127.0.0.1@c1")
    assert 2 * AWAIT <= unlock.at - backlog.shutdown("c1") < 2 * AWAIT + 100
    running = {call.q for call in backlog.calls if call.who == "c1" and call.runs(unlock.at)}
    assert running == set(unlock.said.queues) == {f"T1:b0:{number}" for number in (4, 5, 6, 7)}


def test_no_renewal_follows_shutdown(backlog):
    """Up to 4.9.8 the renewals stop: the calls end when the lock has expired or no message is left."""
    assert max(lock.at for lock in backlog.heard(LOCK, "127.0.0.1@c1")) < backlog.shutdown("c1")


def test_two_listeners_run_on_one_message_in_four_queues(backlog):
    found = backlog.at_once()
    assert {both.first.q: both.ms for both in found} == {"T1:b0:4": 681, "T1:b0:5": 721, "T1:b0:6": 715, "T1:b0:7": 623}
    for both in found:
        assert (both.first.who, both.second.who) == ("c1", "c0")
        assert both.first.offsets == both.second.offsets
        assert both.first.begin > backlog.shutdown("c1") + AWAIT


def test_offset_of_a_call_without_its_lock_is_never_recorded(backlog):
    """Its entry has been removed when it returns."""
    last = max(update.at for update in backlog.of(OffsetUpdate, "c1"))
    assert last < backlog.one(ShutdownEnd, "c1").at
    assert {call.offsets for call in backlog.calls if call.who == "c1" and call.end > last} == {(41,)}


def test_claim_without_shutdown_assumption_is_refuted_by_the_recording(backlog):
    (claim,) = select(["ordered.java_v4_9.exclusive.without-shutdown"])
    assert not claim.holds
    assert backlog.at_once()


def test_shutdown_without_a_backlog_ends_with_the_running_calls(none_waiting):
    shutdown = none_waiting.shutdown("c1")
    mine = [call for call in none_waiting.calls if call.who == "c1"]
    running = [call for call in mine if call.runs(shutdown)]
    assert len(running) == 4
    assert not any(call.interrupted for call in running)
    assert not [call for call in mine if call.begin > shutdown]
    (unlock,) = none_waiting.heard(UNLOCK, "127.0.0.1@c1")
    assert max(call.end for call in running) < unlock.at < shutdown + 5_000


def test_default_shutdown_interrupts_immediately(none_waiting):
    assert none_waiting.run.consumers["c2"].settings == {}
    shutdown = none_waiting.shutdown("c2")
    cut = [call for call in none_waiting.calls if call.who == "c2" and call.interrupted]
    assert len(cut) == 3
    assert {call.end - shutdown for call in cut} == {2}
    (unlock,) = none_waiting.heard(UNLOCK, "127.0.0.1@c2")
    assert 0 < unlock.at - shutdown < 50


def test_shutdown_without_a_backlog_has_no_overlap(none_waiting):
    assert len([new for new in none_waiting.of(EntryNew, "c0") if new.at > none_waiting.shutdown("c1")]) >= 8
    assert not none_waiting.at_once()
