"""One lock object per queue for all its entries: no call for a new entry while the old listener runs."""

import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.consumer import QUEUE, MessageQueueLock, RebalanceLockManager
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.queues import MessageQueue


def test_lock_object_of_a_queue_is_permanent():
    locks = MessageQueueLock()
    first = locks.fetch_lock_object(QUEUE)
    assert locks.fetch_lock_object(MessageQueue(QUEUE.topic, QUEUE.broker_name, QUEUE.queue_id)) is first
    assert locks.fetch_lock_object(MessageQueue(QUEUE.topic, QUEUE.broker_name, 1)) is not first


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_new_entry_waits_for_the_listener_of_the_old_one(client):
    consumer = client.consumer(1, RebalanceLockManager(DEFAULTS.broker), DEFAULTS)
    for _ in range(2):
        consumer.locks()
        consumer.adds()
        consumer.renews()
        consumer.renewed()
        consumer.now = consumer.pulls_from
        consumer.pulls()
        if consumer.listener is None:
            consumer.starts()
            old = consumer.listener
            consumer.unsubscribes()
    assert consumer.listener is old
    assert consumer.entry is not old
    with pytest.raises(Impossible):
        consumer.starts()
    consumer.ends()
    consumer.starts()
    assert consumer.listener is consumer.entry
