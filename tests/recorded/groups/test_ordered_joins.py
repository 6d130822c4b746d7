"""Waits of an ordered group when a consumer joins or leaves."""

from itertools import pairwise
from statistics import median

import pytest

from rebalance_proofs.model.machines.settling.actions import DEFAULTS
from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.member import Allocate, Entry, EntryGone, EntryNew, Notified
from tests.recorded.groups.seen import LOCK, SCENARIOS, Seen, recorded_run


def asked_again(run: Seen, version: str) -> list[int]:
    """Milliseconds from each refused request for one queue's lock to the next request of that consumer for it."""
    ids = {run.run.consumers[who].id: who for who in run.ordered()}
    asked: dict[tuple[str, str], list[Answered]] = {}
    for event in run.of(Answered, "b0"):
        if event.code == LOCK and len(event.asked.queues) == 1:
            who = ids.get(event.asked.client_id.rpartition("@")[2])
            if who and run.version(who) == version and event.asked.consumer_group == run.group(who):
                asked.setdefault((who, event.asked.queues[0]), []).append(event)
    return [
        later.at - event.at for events in asked.values() for event, later in pairwise(events) if not event.said.granted
    ]


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-5.3.3/ordered_all")


def hand_over(run: Seen, old: str, new: str, q: str, after: int) -> tuple[int, int, int, int]:
    """When the entry is marked, the last listener returns, the entry goes, and the new owner's listener begins."""
    came = min(event.at for event in run.of(EntryNew, new) if event.q == q and event.at > after)
    looks = [look for look in run.of(Entry, old) if look.q == q and look.dropped and after - 1_000 < look.at <= came]
    gone = max(event.at for event in run.of(EntryGone, old) if event.q == q and event.at <= came)
    returned = max(call.end for call in run.calls if call.who == old and call.q == q and call.begin < came)
    begun = min(call.begin for call in run.calls if call.who == new and call.q == q and call.begin > came)
    return min(look.at for look in looks), returned, gone, begun


def test_new_owner_of_5_3_3_asks_every_second():
    """It is not balanced, so that it waits for ``minInterval`` only."""
    found = [
        ms for name in ("ordered_all", "relock") for ms in asked_again(recorded_run(f"java-5.3.3/{name}"), "5.3.3")
    ]
    assert len(found) > 500
    assert min(found) >= DEFAULTS.least
    assert median(found) < DEFAULTS.least + 100
    assert max(found) < 2_100


def test_new_owner_of_4_9_8_asks_every_20_s():
    found = [
        ms
        for scenario in SCENARIOS
        if recorded_run(scenario).ordered()
        for ms in asked_again(recorded_run(scenario), "4.9.8")
        if ms < 2 * DEFAULTS.wait
    ]
    assert len(found) > 10
    assert all(DEFAULTS.wait < ms < DEFAULTS.wait + 800 for ms in found)


@pytest.mark.parametrize(
    ("old", "new", "q", "after", "pause"),
    [
        ("O5c0", "O5c1", "T1:b0:4", 191_180, 20_057),
        ("J12c0", "J12c1", "T1:b0:3", 158_194, 16_553),
        ("J12c1", "J12c0", "T1:b0:3", 260_225, 19_429),
    ],
)
def test_old_owner_of_a_dropped_entry_retries_at_its_timer(run, old, new, q, after, pause):
    """Though its listener has returned long ago: a dropped entry does not count as unbalanced."""
    marked, returned, gone, begun = hand_over(run, old, new, q, after)
    assert marked < returned < gone < begun
    assert begun - returned == pause
    assert gone - returned > 14_000
    assert gone - marked > DEFAULTS.wait
    rebalances = [event.at for event in run.of(Allocate, old) if event.topic == "T1" and event.at > marked]
    told = [event.at for event in run.of(Notified, old) if marked < event.at < gone]
    idle = [at for at in rebalances if returned < at < gone - 100]
    assert not [at for at in idle if not any(0 <= at - notified < 1_500 for notified in told)]


def test_new_owner_starts_within_two_seconds_after_the_release(run):
    for old, new, q, after in (
        ("O5c0", "O5c1", "T1:b0:4", 191_180),
        ("J12c0", "J12c1", "T1:b0:3", 158_194),
        ("J12c1", "J12c0", "T1:b0:3", 260_225),
    ):
        _, _, gone, begun = hand_over(run, old, new, q, after)
        assert 500 < begun - gone < 2_000


def test_second_notification_shortens_the_hand_over(run):
    """The other three queues of the same join."""
    for q in ("T1:b0:5", "T1:b0:6", "T1:b0:7"):
        _, returned, gone, begun = hand_over(run, "O5c0", "O5c1", q, 191_180)
        assert gone - returned < 300
        assert 2_000 < begun - returned < 3_000


def test_new_owner_of_4_9_8_waits_for_its_own_timer():
    """It asks before the old owner has unlocked, and again 20 s later."""
    run = recorded_run("java-5.3.3/zoo")
    for q in ("T1:b0:4", "T1:b0:5", "T1:b0:6", "T1:b0:7"):
        _, returned, gone, begun = hand_over(run, "x0", "x1", q, 111_000)
        assert gone - returned < 350
        assert DEFAULTS.wait < begun - returned < DEFAULTS.wait + 500
