"""A client's rebalance thread with its flag and its latch, and the machine's state after a change."""

import pytest

from rebalance_proofs.model.machine.evaluator import Evaluator
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import DEFAULTS
from rebalance_proofs.model.settling.machine import SETTLING
from rebalance_proofs.model.settling.service_thread import LOOKS, RUNS, WAITS, WOKEN

V4_9, V5_2, V5_5_1 = CLIENTS
each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def waiting(client):
    """A thread that waits, from 0 ms on."""
    thread = client.made(DEFAULTS)
    thread.looks()
    thread.resets(0)
    assert thread.at == WAITS
    return thread


def wakes(thread, now):
    thread.wakes(now, thread.real_wait_interval)


def running(client):
    """One that rebalances, from 20 s on."""
    thread = waiting(client)
    wakes(thread, DEFAULTS.wait)
    thread.clears()
    thread.begins(DEFAULTS.wait)
    assert thread.at == RUNS
    return thread


def rebalanced(client):
    """One that has rebalanced at 20 s, in no time, and is about to look at its flag."""
    thread = running(client)
    thread.ends(DEFAULTS.wait, balanced=True)
    return thread


@each_client
def test_timer_ends_a_wait_to_the_millisecond(client):
    thread = waiting(client)
    with pytest.raises(Impossible):
        wakes(thread, DEFAULTS.wait - 1)
    wakes(thread, DEFAULTS.wait)


@each_client
def test_wake_up_ends_a_wait(client):
    thread = waiting(client)
    thread.wakeup()
    with pytest.raises(Impossible):
        wakes(thread, 0)
    thread.counts()
    wakes(thread, 0)
    thread.clears()
    assert thread.at == WOKEN
    assert not thread.has_notified


@each_client
def test_wake_up_during_a_rebalance_is_kept(client):
    thread = running(client)
    thread.wakeup()
    thread.counts()
    thread.ends(DEFAULTS.wait, balanced=True)
    thread.looks()
    assert thread.at == WOKEN


@each_client
def test_wake_ups_before_the_reset_are_lost(client):
    thread = client.made(DEFAULTS)
    thread.looks()
    thread.wakeup()
    thread.counts()
    thread.resets(0)
    with pytest.raises(Impossible):
        wakes(thread, 0)
    thread.wakeup()
    assert thread.wakers == 0
    with pytest.raises(Impossible):
        wakes(thread, 0)


def test_rebalances_follow_each_other_before_5_2():
    thread = rebalanced(V4_9)
    thread.wakeup()
    thread.looks()
    with pytest.raises(Impossible):
        thread.postpones(DEFAULTS.wait)
    thread.begins(DEFAULTS.wait)
    assert thread.at == RUNS


def test_rebalances_have_a_minimum_interval_from_5_2_on():
    thread, now = rebalanced(V5_2), DEFAULTS.wait + DEFAULTS.least - 1
    thread.wakeup()
    thread.looks()
    with pytest.raises(Impossible):
        thread.begins(now)
    thread.postpones(now)
    assert thread.real_wait_interval == 1
    assert thread.at == LOOKS


@pytest.mark.parametrize(
    ("client", "balanced", "waits"), [(V4_9, False, 20_000), (V5_2, True, 20_000), (V5_2, False, 1_000)]
)
def test_unbalanced_consumer_rebalances_soon_from_5_2_on(client, balanced, waits):
    thread = running(client)
    thread.ends(DEFAULTS.wait, balanced=balanced)
    assert thread.real_wait_interval == waits


@each_client
@pytest.mark.parametrize("action", ["resets", "begins", "postpones"])
def test_impossible_thread_action_is_refused(client, action):
    with pytest.raises(Impossible):
        getattr(client.made(DEFAULTS), action)(0)


@each_client
def test_end_without_a_beginning_is_refused(client):
    thread = client.made(DEFAULTS)
    with pytest.raises(Impossible):
        thread.ends(0, balanced=True)
    with pytest.raises(Impossible):
        wakes(thread, 0)
    with pytest.raises(Impossible):
        thread.clears()
    with pytest.raises(Impossible):
        thread.counts()


@each_client
def test_rebalance_after_the_change_uses_it(client):
    evaluator = Evaluator(SETTLING, client, DEFAULTS)
    state = evaluator.first()
    for action in ("looks", "resets", "changes", "loses"):
        state = evaluator.step(state, action)
    for action in ("changes", "notifies"):
        with pytest.raises(Impossible):
            evaluator.step(state, action)
    for action in ("wakes", "clears", "begins"):
        state = evaluator.step(state, action, DEFAULTS.wait)
    assert not state.right
    assert evaluator.step(state, "ends", DEFAULTS.wait).right
    assert not evaluator.step(state, "fails", DEFAULTS.wait).right


@each_client
def test_rebalance_before_the_change_may_use_it(client):
    evaluator = Evaluator(SETTLING, client, DEFAULTS)
    state = evaluator.first()
    for action in ("looks", "resets"):
        state = evaluator.step(state, action)
    for action in ("wakes", "clears", "begins", "changes"):
        state = evaluator.step(state, action, DEFAULTS.wait)
    assert not evaluator.step(state, "ends", DEFAULTS.wait).right
    assert evaluator.step(state, "ends", DEFAULTS.wait, {"seen": True}).right
