"""Actions of one consumer and the broker, one by one."""

import pytest

from rebalance_proofs.model.ordered.clients import CLIENTS, GO, V4_9, V4_9_0, V5_0, V5_2, OrderedClient
from rebalance_proofs.model.ordered.consumer import OrderedConsumer
from rebalance_proofs.model.ordered.limits import DEFAULTS
from rebalance_proofs.model.ordered.lock_manager import RebalanceLockManager
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
def test_the_listener_is_called_until_the_lock_is_as_old_as_the_client_trusts_in_it(client):
    late = consumer(client)
    late.now = DEFAULTS.client
    late.starts()
    too_late = consumer(client)
    too_late.now = DEFAULTS.client + 1
    with pytest.raises(Impossible):
        too_late.starts()


def test_a_new_entry_is_not_locked_in_4_9_0_and_in_go():
    for client in (V4_9_0, GO):
        made = client.consumer(1, RebalanceLockManager(DEFAULTS.broker), DEFAULTS)
        made.locks()
        made.adds()
        made.pulls()
        with pytest.raises(Impossible):
            made.starts()


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_up_to_5_1_a_lock_is_given_back_later_where_messages_are_cached(client):
    made = consumer(client)
    made.revokes()
    assert (made.entry, made.unlocks, made.put_off) == (None, 0, [DEFAULTS.unlock])
    with pytest.raises(Impossible):
        made.returns()
    made.now = DEFAULTS.unlock
    made.returns()
    assert (made.unlocks, made.put_off) == (1, [])


def test_from_5_2_on_a_lock_is_given_back_under_the_listener_when_it_is_old():
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
def test_up_to_5_1_it_is_not(client):
    made = consumer(client)
    made.starts()
    made.now = 10 * DEFAULTS.unlock
    made.revokes()
    assert made.entry is not None
    assert made.entry.dropped
    assert not made.unlocks
    assert not made.put_off


def test_go_gives_no_lock_back_but_at_its_shutdown():
    broker = RebalanceLockManager(DEFAULTS.broker)
    made = consumer(GO, broker)
    made.revokes()
    assert made.entry is None
    assert not made.unlocks
    assert broker.entry is not None
    made = consumer(GO)
    shut(made)
    assert made.unlocks == 1


def test_go_stamps_a_renewal_that_was_denied():
    made = consumer(GO)
    made.now = 500
    made.refused()
    assert made.entry is not None
    assert not made.entry.locked
    assert made.entry.last_lock_timestamp == 500


@each_client
def test_what_is_marked_is_given_back_at_a_shutdown_by_4_9_and_go_alone(client):
    made = consumer(client)
    assert made.entry is not None
    made.entry.dropped = True
    shut(made)
    assert made.unlocks == int(client in (V4_9_0, V4_9, GO))


@each_client
def test_whoever_is_shut_down_or_has_crashed_does_nothing_more(client):
    for ends in (shut, OrderedConsumer.crashes):
        made = consumer(client)
        ends(made)
        steps = ("shuts", "interrupts", "gives_back", "clears")
        for action in ("locks", "adds", "pulls", "starts", "crashes", *steps):
            with pytest.raises(Impossible):
                getattr(made, action)()


def test_the_broker_gives_a_lock_to_another_only_when_it_has_run_out():
    broker = RebalanceLockManager(DEFAULTS.broker)
    assert broker.try_lock(1, 0)
    assert not broker.try_lock(2, DEFAULTS.broker)
    assert broker.try_lock(2, DEFAULTS.broker + 1)
    assert not broker.try_lock(1, DEFAULTS.broker + 2)


def test_the_broker_hears_of_no_return_but_the_holders():
    broker = RebalanceLockManager(DEFAULTS.broker)
    broker.try_lock(1, 0)
    broker.unlock(2)
    assert broker.entry is not None
    broker.unlock(1)
    broker.unlock(1)
    assert broker.entry is None


def test_a_return_frees_a_newer_lock_of_the_same_consumer():
    broker = RebalanceLockManager(DEFAULTS.broker)
    made = consumer(V5_2, broker)
    made.revokes()
    made.locks()
    made.returned()
    assert broker.entry is None
    assert made.adding is not None
