"""Up to 5.1.4 a lock with cached messages is unlocked 20 s later, whichever consumer holds it then."""

import pytest

from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.recorded.groups.broker import Answered, Table, lock_of
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.member import Entry, EntryGone, EntryNew
from tests.recorded.groups.seen import LOCK, UNLOCK, Seen, recorded_run

BACK = "T1:b0:6"
"""It leaves c0 for c1, and comes back when that is killed."""
STUCK = ("T1:b0:4", "T1:b0:5", "T1:b0:7")
"""They are to leave too, under their listeners, and come back before they have left."""


@pytest.fixture(scope="module")
def run() -> Seen:
    return recorded_run("java-4.9.8/l_delayed_unlock")


def comes_back(run: Seen) -> tuple[EntryGone, EntryNew]:
    gone = next(event for event in run.of(EntryGone, "c0") if event.q == BACK)
    return gone, next(event for event in run.of(EntryNew, "c0") if event.q == BACK and event.at > gone.at)


def unlocked(run: Seen) -> Answered:
    return next(event for event in run.of(Answered, "b0") if event.code == UNLOCK and event.asked.queues == (BACK,))


def test_delayed_unlock_comes_20_s_after_the_entry(run):
    gone, new = comes_back(run)
    assert gone.messages > 0
    assert gone.at < new.at < unlocked(run).at
    assert 0 <= unlocked(run).at - gone.at - DEFAULTS.unlock < 100
    assert [call for call in run.calls if call.who == "c0" and call.q == BACK and call.runs(unlocked(run).at)]


def test_lock_is_free_under_listeners_until_another_takes_it(run):
    free = unlocked(run).at
    taken = next(
        event
        for event in run.of(Answered, "b0")
        if event.code == LOCK and event.asked.queues == (BACK,) and event.at > free
    )
    assert taken.asked.client_id == "127.0.0.1@c2"
    assert taken.said.granted == (BACK,)
    assert taken.at - free == 6_856
    holders = [
        row.is_ for row in run.of(Table, "b0") if (lock := lock_of(row)) and lock.q == BACK and row.at >= free - 50
    ]
    assert holders == [None, "127.0.0.1@c2"]
    without = [call for call in run.calls if call.who == "c0" and call.q == BACK and free < call.begin < taken.at]
    assert without
    (under,) = (call for call in without if call.runs(taken.at))
    begun = min(call.begin for call in run.calls if call.who == "c2" and call.q == BACK)
    assert 0 < begun - under.end < 100, "the two miss each other by less than a tenth of a second"


def test_delayed_unlock_matches_the_claims(run):
    for claim in select(
        ["transition.java_v4_9.late-unlock.push-orderly-as-shipped", "ordered.java_v4_9.exclusive.without-return"]
    ):
        assert not claim.holds


@pytest.mark.parametrize("q", STUCK)
def test_dropped_entry_of_the_own_share_blocks_the_queue(run, q):
    """It is not removed while the queue is its client's, which continues to renew the lock."""
    (killed,) = run.of(Signal, "driver")
    marked = next(look for look in run.of(Entry, "c0") if look.q == q and look.dropped)
    (gone,) = (event for event in run.of(EntryGone, "c0") if event.q == q)
    assert marked.at < killed.at < gone.at
    assert gone.at - killed.at > 24_000
    (renewed,) = (
        lock for lock in run.heard(LOCK, "127.0.0.1@c0") if killed.at < lock.at < gone.at and len(lock.said.queues) > 1
    )
    assert q in renewed.said.queues
    ended = max(call.end for call in run.calls if call.who == "c0" and call.q == q and call.begin < gone.at)
    begun = min(call.begin for call in run.calls if call.q == q and call.begin > ended)
    assert 42_000 < begun - ended < 48_000
