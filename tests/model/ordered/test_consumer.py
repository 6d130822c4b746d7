"""Actions of one consumer and the broker, one at a time."""

import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS, GO, V4_9, V4_9_0, V5_0, V5_2, OrderedClient
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.consumer import OrderedConsumer, RebalanceLockManager
from rebalance_proofs.model.possible import Impossible

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def consumer(client: OrderedClient, broker: RebalanceLockManager | None = None, client_id: int = 1) -> OrderedConsumer:
    """One that has the queue, its lock, and messages."""
    made = client.consumer(client_id, broker or RebalanceLockManager(DEFAULTS.broker), DEFAULTS)
    made.locks()
    made.adds()
    if not client.rebalance.new_locked:
        made.renews()
        made.renewed()
    made.now = made.pulls_from
    made.pulls()
    made.now = 0
    return made


def shut(made: OrderedConsumer) -> None:
    """It is shut down without a wait, as shipped."""
    made.shuts()
    if made.rules.waits_for_listener:
        made.interrupts()
    made.gives_back()
    made.clears()


@each_client
def test_listener_runs_only_while_the_lock_is_young_enough(client):
    late = consumer(client)
    late.now = DEFAULTS.client
    late.starts()
    too_late = consumer(client)
    too_late.now = DEFAULTS.client + 1
    with pytest.raises(Impossible):
        too_late.starts()


def test_new_entry_is_not_locked_in_4_9_0_and_go():
    for client in (V4_9_0, GO):
        made = client.consumer(1, RebalanceLockManager(DEFAULTS.broker), DEFAULTS)
        made.locks()
        made.adds()
        made.pulls()
        with pytest.raises(Impossible):
            made.starts()


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_unlock_is_delayed_with_cached_messages_up_to_5_1(client):
    made = consumer(client)
    made.revokes()
    assert (made.entry, made.unlocks, made.put_off) == (None, 0, [DEFAULTS.unlock])
    with pytest.raises(Impossible):
        made.sends_unlock()
    made.now = DEFAULTS.unlock
    made.sends_unlock()
    assert (made.unlocks, made.put_off) == (1, [])


def test_old_lock_is_released_under_the_listener_from_5_2_on():
    made = consumer(V5_2)
    made.starts()
    made.now = DEFAULTS.unlock
    made.revokes()
    assert made.entry is not None
    assert made.entry.dropped
    assert not made.unlocks
    made.now += 1
    made.revokes()
    assert made.entry is None
    assert made.unlocks == 1
    assert made.listener is not None


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_old_lock_is_not_released_under_the_listener_up_to_5_1(client):
    made = consumer(client)
    made.starts()
    made.now = 10 * DEFAULTS.unlock
    made.revokes()
    assert made.entry is not None
    assert made.entry.dropped
    assert not made.unlocks
    assert not made.put_off


def test_go_releases_locks_only_at_shutdown():
    broker = RebalanceLockManager(DEFAULTS.broker)
    made = consumer(GO, broker)
    made.revokes()
    assert made.entry is None
    assert not made.unlocks
    assert broker.entry is not None
    made = consumer(GO)
    shut(made)
    assert made.unlocks == 1


def test_go_updates_the_lock_time_after_a_denied_renewal():
    made = consumer(GO)
    made.now = 500
    made.refused()
    assert made.entry is not None
    assert not made.entry.locked
    assert made.entry.last_lock_timestamp == 500


@each_client
def test_dropped_entry_is_released_at_shutdown_by_4_9_and_go_only(client):
    made = consumer(client)
    assert made.entry is not None
    made.entry.dropped = True
    shut(made)
    assert made.unlocks == int(client in (V4_9_0, V4_9, GO))


@each_client
def test_ended_ordered_consumer_does_nothing(client):
    for ends in (shut, OrderedConsumer.crashes):
        made = consumer(client)
        ends(made)
        steps = ("shuts", "interrupts", "gives_back", "clears")
        for action in ("locks", "adds", "pulls", "starts", "crashes", *steps):
            with pytest.raises(Impossible):
                getattr(made, action)()


def test_broker_grants_a_lock_to_another_consumer_only_after_expiry():
    broker = RebalanceLockManager(DEFAULTS.broker)
    assert broker.try_lock(1, 0)
    assert not broker.try_lock(2, DEFAULTS.broker)
    assert broker.try_lock(2, DEFAULTS.broker + 1)
    assert not broker.try_lock(1, DEFAULTS.broker + 2)


def test_broker_accepts_an_unlock_only_from_the_holder():
    broker = RebalanceLockManager(DEFAULTS.broker)
    broker.try_lock(1, 0)
    broker.unlock(2)
    assert broker.entry is not None
    broker.unlock(1)
    broker.unlock(1)
    assert broker.entry is None


def test_unlock_frees_a_newer_lock_of_the_same_consumer():
    broker = RebalanceLockManager(DEFAULTS.broker)
    made = consumer(V5_2, broker)
    made.revokes()
    made.locks()
    made.unlocked()
    assert broker.entry is None
    assert made.adding is not None
