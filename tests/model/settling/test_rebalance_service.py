"""A client's rebalance thread, its flag and its latch."""

import pytest

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import DEFAULTS
from rebalance_proofs.model.settling.state import LOOKS, RUNS, WAITS, WOKEN

V4_9, V5_2 = CLIENTS
each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def waiting(client):
    """A thread that waits, from 0 ms on."""
    consumer = client.consumer(DEFAULTS)
    consumer.looks()
    consumer.resets()
    assert consumer.service.at == WAITS
    return consumer


def rebalanced(client):
    """One that has rebalanced at 20 s, in no time, and is about to look at its flag."""
    consumer = waiting(client)
    consumer.now = DEFAULTS.wait
    for action in (consumer.wakes, consumer.clears, consumer.begins):
        action()
    assert consumer.runs
    consumer.ends(seen=False, balanced=True)
    return consumer


@each_client
def test_the_timer_ends_a_wait_and_not_a_millisecond_before(client):
    consumer = waiting(client)
    consumer.now = DEFAULTS.wait - 1
    with pytest.raises(Impossible):
        consumer.wakes()
    consumer.now += 1
    consumer.wakes()


@each_client
def test_a_wake_up_ends_a_wait(client):
    consumer = waiting(client)
    consumer.changes()
    consumer.notifies()
    with pytest.raises(Impossible):
        consumer.wakes()
    consumer.counts()
    consumer.wakes()
    consumer.clears()
    assert consumer.service.at == WOKEN
    assert not consumer.service.has_notified


@each_client
def test_a_wake_up_during_a_rebalance_is_kept(client):
    consumer = rebalanced(client)
    consumer.changes()
    consumer.notifies()
    consumer.counts()
    consumer.looks()
    assert consumer.service.at == WOKEN


@each_client
def test_a_wake_up_before_the_reset_is_lost_and_so_are_those_that_follow(client):
    consumer = client.consumer(DEFAULTS)
    consumer.looks()
    consumer.changes()
    consumer.notifies()
    consumer.counts()
    consumer.resets()
    with pytest.raises(Impossible):
        consumer.wakes()
    with pytest.raises(Impossible):
        consumer.stirs()
    consumer.service.wakeup()
    assert consumer.service.wakers == 0
    with pytest.raises(Impossible):
        consumer.wakes()


def test_before_5_2_rebalances_follow_each_other():
    consumer = rebalanced(V4_9)
    consumer.stirs()
    consumer.looks()
    with pytest.raises(Impossible):
        consumer.postpones()
    consumer.begins()
    assert consumer.service.at == RUNS


def test_from_5_2_on_they_are_apart():
    consumer = rebalanced(V5_2)
    consumer.stirs()
    consumer.looks()
    consumer.now += DEFAULTS.least - 1
    with pytest.raises(Impossible):
        consumer.begins()
    consumer.postpones()
    assert consumer.service.real_wait_interval == 1
    assert consumer.service.at == LOOKS


@pytest.mark.parametrize(
    ("client", "balanced", "waits"), [(V4_9, False, 20_000), (V5_2, True, 20_000), (V5_2, False, 1_000)]
)
def test_where_a_share_is_not_worked_on_the_next_rebalance_is_soon_from_5_2_on(client, balanced, waits):
    consumer = waiting(client)
    consumer.now = DEFAULTS.wait
    for action in (consumer.wakes, consumer.clears, consumer.begins):
        action()
    consumer.ends(seen=False, balanced=balanced)
    assert consumer.service.real_wait_interval == waits


@each_client
def test_a_rebalance_that_began_after_the_change_has_seen_it(client):
    consumer = waiting(client)
    consumer.changes()
    with pytest.raises(Impossible):
        consumer.changes()
    consumer.loses()
    with pytest.raises(Impossible):
        consumer.notifies()
    consumer.now = DEFAULTS.wait
    for action in (consumer.wakes, consumer.clears, consumer.begins):
        action()
    assert not consumer.right
    consumer.ends(seen=False, balanced=True)
    assert consumer.right


@each_client
@pytest.mark.parametrize("action", ["resets", "wakes", "clears", "begins", "postpones", "loses", "notifies", "counts"])
def test_nothing_happens_out_of_turn(client, action):
    with pytest.raises(Impossible):
        getattr(client.consumer(DEFAULTS), action)()


@each_client
def test_no_rebalance_ends_that_did_not_begin(client):
    consumer = client.consumer(DEFAULTS)
    with pytest.raises(Impossible):
        consumer.ends(seen=False, balanced=True)
    with pytest.raises(Impossible):
        consumer.fails(balanced=True)
