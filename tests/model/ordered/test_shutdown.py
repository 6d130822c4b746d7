"""Shutdown of a consumer, step by step, as in its service and ``ThreadUtils.shutdownGracefully``."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machines.ordered.actions import GO, V4_9, V5_0, V5_2
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.consumer import OrderedConsumer, RebalanceLockManager
from rebalance_proofs.model.possible import Impossible

LIMITS = replace(DEFAULTS, listener=2_000, wait=5_000)
"""As one that was seen: a listener of 2 s, and a wait of 5 s."""
each_java = pytest.mark.parametrize("client", [V4_9, V5_0, V5_2], ids=lambda client: client.name)


def working(client, limits=LIMITS) -> OrderedConsumer:
    """Its listener is called, and there are more messages. It is 0 s."""
    made = client.consumer(1, RebalanceLockManager(limits.broker), limits)
    made.now = -limits.first_pull
    made.locks()
    made.adds()
    if not client.rebalance.new_locked:
        made.renews()
        made.renewed()
    made.now = 0
    made.pulls()
    made.starts(more=True)
    return made


@each_java
def test_backlog_is_consumed_during_both_waits_before_the_unlock(client):
    made = working(client)
    made.shuts()
    for made.now in (2_000, 4_000):
        made.ends()
        made.starts(more=True)
    made.now = 4_999
    with pytest.raises(Impossible):
        made.interrupts()
    made.now = 5_000
    made.interrupts()
    made.ends()
    made.starts(more=True)
    for made.now in (7_000, 9_000):
        made.ends()
        made.starts(more=True)
    with pytest.raises(Impossible):
        made.gives_back()
    made.now = 10_000
    made.gives_back()
    made.unlocked()
    assert made.broker.entry is None
    assert made.listener is not None


@each_java
def test_no_call_starts_after_the_locks_are_released(client):
    made = working(client)
    made.shuts()
    made.now = 5_000
    made.interrupts()
    made.now = 10_000
    made.gives_back()
    made.ends()
    with pytest.raises(Impossible):
        made.starts()


@each_java
def test_waiting_requests_are_discarded_after_the_first_wait(client):
    for begun in (True, False):
        made = working(client)
        made.ends()
        made.shuts()
        made.now = 5_000
        made.interrupts(more=begun)
        if begun:
            made.starts()
        else:
            with pytest.raises(Impossible):
                made.starts()


@each_java
def test_running_request_continues_for_a_limited_time_after_the_first_wait(client):
    made = working(client, replace(LIMITS, wait=0, loop=7_000))
    made.shuts()
    made.interrupts()
    made.ends()
    made.now = 7_001
    with pytest.raises(Impossible):
        made.starts()
    made.now = 7_000
    made.starts()


@each_java
def test_retried_messages_are_not_consumed_during_shutdown(client):
    made = working(client)
    made.shuts()
    made.ends(more=True)
    with pytest.raises(Impossible):
        made.starts()
    made.gives_back()


@each_java
def test_messages_pulled_meanwhile_are_taken_by_a_running_request(client):
    made = working(client)
    made.ends()
    made.starts()
    made.shuts()
    made.pulls()
    made.ends()
    made.starts()
    made.ends()
    with pytest.raises(Impossible):
        made.pulls()


@each_java
def test_renewals_end_with_the_shutdown_in_4_9_and_with_the_table_later(client):
    made = working(client)
    made.shuts()
    assert made.listed is (client is not V4_9)
    made.ends()
    made.now = 5_000
    made.interrupts()
    made.gives_back()
    made.unlocked()
    assert made.listed is (client is not V4_9)
    if made.listed:
        made.renews()
        made.renewed()
        assert made.entry is not None
        assert made.entry.locked
    made.clears()
    assert not made.listed
    assert (made.broker.entry is None) is (client is V4_9)


def test_go_shutdown_waits_for_nothing_and_interrupts_nothing():
    made = working(GO)
    made.shuts()
    with pytest.raises(Impossible):
        made.interrupts()
    made.gives_back()
    made.unlocked()
    assert made.listener is not None
    assert made.broker.entry is None


@pytest.mark.parametrize(("client", "delay"), [(V4_9, 0), (V5_0, 500), (V5_2, 500), (GO, 0)])
def test_first_pull_is_delayed_by_half_a_second_from_5_0_on(client, delay):
    made = client.consumer(1, RebalanceLockManager(DEFAULTS.broker), DEFAULTS)
    made.now = 1_000
    made.locks()
    made.adds()
    assert made.pulls_from == 1_000 + delay
    made.now = made.pulls_from - 1
    with pytest.raises(Impossible):
        made.pulls()
    made.now += 1
    made.pulls()
