"""A client's rebalance thread with its flag and its latch, and the machine's state after a change."""

import pytest

from rebalance_proofs.model.client.service_thread import CHECKS, CLEARS, LOOKS, RUNS, WAITS, WOKEN
from rebalance_proofs.model.machines.settling.actions import CLIENTS, DEFAULTS, SETTLING
from rebalance_proofs.model.possible import Impossible
from tests.machines.evaluator import Evaluator

V4_9, V5_2, V5_5_1 = CLIENTS
each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def waiting(client):
    """A thread that waits, from 0 ms on."""
    thread = client.made(DEFAULTS)
    thread.looks()
    begins_to_wait(thread)
    assert thread.at == WAITS
    return thread


def begins_to_wait(thread):
    if thread.at == CHECKS:
        thread.checks(0, thread.real_wait_interval)
    else:
        thread.resets(0)


def wakes(thread, now):
    """End the wait. Raises ``Impossible`` if the thread waits on; a thread with ``park`` then parks again."""
    thread.wakes(now, thread.real_wait_interval)
    if thread.at == CHECKS:
        thread.checks(now, thread.real_wait_interval)
        if thread.at == WAITS:
            raise Impossible


def waits_by(client):
    return "checks" if client.parks else "resets"


def ends_by(client):
    """Actions from the end of a wait to the start of a rebalance."""
    return ("wakes", *["checks"] * client.parks, "clears", "begins")


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
    if not client.parks:  # park may return before the permit comes, and the flag is set
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


@pytest.mark.parametrize("client", [V4_9, V5_2], ids=lambda client: client.name)
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


@pytest.mark.parametrize("counted", [True, False])
def test_wake_up_before_the_thread_parks_ends_its_wait(counted):
    thread = V5_5_1.made(DEFAULTS)
    thread.looks()
    thread.wakeup()
    if counted:
        thread.counts()
    begins_to_wait(thread)
    assert thread.at == CLEARS


def test_wake_up_between_the_check_and_park_leaves_a_permit():
    thread = waiting(V5_5_1)
    thread.wakeup()
    thread.counts()
    assert thread.permit
    wakes(thread, 0)
    assert thread.at == CLEARS
    assert not thread.permit


def test_old_permit_does_not_end_a_wait():
    thread = V5_5_1.made(DEFAULTS)
    thread.wakeup()
    thread.looks()  # sees the flag before the other thread unparks it
    thread.begins(DEFAULTS.least)
    thread.ends(DEFAULTS.least, balanced=True)
    thread.counts()
    thread.looks(DEFAULTS.least)
    thread.checks(DEFAULTS.least, DEFAULTS.wait)
    assert thread.permit
    with pytest.raises(Impossible):
        wakes(thread, DEFAULTS.least)


def test_second_wake_up_needs_no_second_permit():
    thread = waiting(V5_5_1)
    thread.wakeup()
    thread.wakeup()
    assert thread.wakers == 1
    thread.counts()
    wakes(thread, 0)
    assert thread.at == CLEARS


@pytest.mark.parametrize("client", [V4_9, V5_2], ids=lambda client: client.name)
def test_interrupt_ends_one_wait_for_a_latch(client):
    thread = waiting(client)
    thread.interrupt()
    thread.gives_up()
    assert (thread.at, thread.interrupted) == (CLEARS, False)


def test_interrupt_ends_every_park_until_a_call_clears_it():
    thread = waiting(V5_5_1)
    thread.interrupt()
    for now in (DEFAULTS.least, DEFAULTS.least + 1):
        thread.wakes(now, thread.real_wait_interval)
        assert (thread.at, thread.interrupted) == (CLEARS, True)
        thread.clears()
        thread.begins(now + DEFAULTS.least)
        thread.ends(now, balanced=True)
        thread.looks(now)
        begins_to_wait(thread)
    thread.wakes(now, thread.real_wait_interval)
    thread.clears()
    thread.begins(now + DEFAULTS.least)
    thread.swallows()
    thread.ends(now, balanced=True)
    thread.looks(now)
    thread.checks(now, thread.real_wait_interval)
    with pytest.raises(Impossible):
        wakes(thread, now)


@each_client
def test_interrupt_needs_a_thread_that_waits_or_rebalances(client):
    thread = client.made(DEFAULTS)
    thread.interrupt()
    with pytest.raises(Impossible):
        thread.interrupt()
    with pytest.raises(Impossible):
        thread.gives_up()
    with pytest.raises(Impossible):
        thread.swallows()


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
    for action in ("looks", waits_by(client), "changes", "loses"):
        state = evaluator.step(state, action)
    for action in ("changes", "notifies"):
        with pytest.raises(Impossible):
            evaluator.step(state, action)
    for action in ends_by(client):
        state = evaluator.step(state, action, DEFAULTS.wait)
    assert not state.right
    assert evaluator.step(state, "ends", DEFAULTS.wait).right
    assert not evaluator.step(state, "fails", DEFAULTS.wait).right


@each_client
def test_rebalance_before_the_change_may_use_it(client):
    evaluator = Evaluator(SETTLING, client, DEFAULTS)
    state = evaluator.first()
    for action in ("looks", waits_by(client)):
        state = evaluator.step(state, action)
    for action in (*ends_by(client), "changes"):
        state = evaluator.step(state, action, DEFAULTS.wait)
    assert not evaluator.step(state, "ends", DEFAULTS.wait).right
    assert evaluator.step(state, "ends", DEFAULTS.wait, {"seen": True}).right
