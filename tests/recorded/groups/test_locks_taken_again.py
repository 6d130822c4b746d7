"""Since 5.0 a leaving consumer can lock again what it unlocked: its queues are not pulled for a minute."""

import pytest

from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.recorded.groups.broker import Answered, Table, lock_of
from rebalance_proofs.recorded.groups.member import Answer, Ask, ShutdownEnd
from tests.recorded.groups.seen import LOCK, UNLOCK, Seen, recorded_run

MOVED = {f"T1:b0:{number}" for number in (4, 5, 6, 7)}


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-5.3.3/relock")


def first_of_the_next(run: Seen, group: str) -> dict[str, int]:
    """When the other member's listener begins, by queue."""
    left = run.shutdown(f"{group}c1")
    calls = [call for call in run.calls if call.who == f"{group}c0" and call.q in MOVED and call.begin > left]
    return {q: min(call.begin for call in calls if call.q == q) for q in MOVED}


def test_renewal_is_requested_between_unlock_and_unregistration(run):
    (unlocked,) = (event for event in run.of(Answer, "R1c1") if event.code == UNLOCK)
    (asked,) = (event for event in run.of(Ask, "R1c1") if event.code == LOCK and event.at > run.shutdown("R1c1"))
    (granted,) = (event for event in run.of(Answer, "R1c1") if event.code == LOCK and event.opaque == asked.opaque)
    (goodbye, _) = run.heard("UNREGISTER_CLIENT", "127.0.0.1@R1c1")
    assert [unlocked.at, asked.at, granted.at, goodbye.at] == [74_558, 74_563, 74_585, 74_586]
    assert set(granted.said.granted) == MOVED
    assert asked.at < run.one(ShutdownEnd, "R1c1").at


def test_renewal_comes_from_the_second_renewer(run):
    """The thread of ``ConsumeMessagePopOrderlyService`` has a name without the group."""
    (asked,) = (event for event in run.of(Ask, "R1c1") if event.code == LOCK and event.at > run.shutdown("R1c1"))
    assert asked.thread == "ConsumeMessageScheduledThread_1"


def test_broker_keeps_the_granted_lock_for_its_limit(run):
    (taken,) = (
        event
        for event in run.of(Answered, "b0")
        if event.code == LOCK and event.asked.client_id == "127.0.0.1@R1c1" and event.at > run.shutdown("R1c1")
    )
    answers = [
        event
        for event in run.of(Answered, "b0")
        if event.code == LOCK and event.asked.client_id == "127.0.0.1@R1c0" and set(event.asked.queues) <= MOVED
        if event.at > taken.at
    ]
    refused = [event.at - taken.at for event in answers if not event.said.granted]
    granted = [event.at - taken.at for event in answers if event.said.granted]
    assert len(refused) > 200
    assert max(refused) <= DEFAULTS.broker < min(granted) < DEFAULTS.broker + 1_100
    holders = {
        row.is_
        for row in run.of(Table, "b0")
        if (lock := lock_of(row)) and lock.group == "R1" and lock.q in MOVED and taken.at + 60 < row.at
    }
    assert holders == {"127.0.0.1@R1c0"}


def test_four_queues_have_no_reader_for_61_s(run):
    left = run.shutdown("R1c1")
    assert all(61_000 < at - left < 62_000 for at in first_of_the_next(run, "R1").values())
    last = {q: max(call.end for call in run.calls if call.who == "R1c1" and call.q == q) for q in MOVED}
    assert all(end <= left for end in last.values())


@pytest.mark.parametrize("group", ["R2", "R3"])
def test_recent_renewal_lets_the_other_member_take_over(run, group):
    left = run.shutdown(f"{group}c1")
    renewed = [event.at - left for event in run.heard(LOCK, f"127.0.0.1@{group}c1") if len(event.said.queues) > 1]
    assert -100 < max(renewed) < 0
    assert all(500 < at - left < 1_000 for at in first_of_the_next(run, group).values())
