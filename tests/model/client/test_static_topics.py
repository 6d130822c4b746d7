"""lockAll and unlockAll with queues of a static topic, which are on a broker of another name than their own.

Read from the sources, not recorded (rocketmq#10183).
"""

import pytest

from rebalance_proofs.model.client.effects import LOCK, LOCK_BATCH, PROCESS_QUEUE_LOCKED, UNLOCK, UNLOCK_BATCH
from rebalance_proofs.model.client.environment import LOGICAL_QUEUE_MOCK_BROKER_PREFIX
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0, JavaV5_0_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from rebalance_proofs.model.queues import MessageQueue, one_broker
from tests.model.client.java_clients import A, B, client

of_5 = pytest.mark.parametrize("version", [JavaV5_0_0, JavaV5_0, JavaV5_3_2])

STATIC = one_broker(3, "S", f"{LOGICAL_QUEUE_MOCK_BROKER_PREFIX}global__")
RENAMED = one_broker(3, "S", "broker-z")


def holder(version, *held, static=STATIC, where="broker-a"):
    """An ordered client that holds these queues; those of ``static`` are on the broker ``where``."""
    found = client(version, held=held, orderly=True)
    found.environment.topic_end_points = {"S": dict.fromkeys(static, where)}
    return found


@of_5
def test_static_topic_locks_are_never_renewed(version):
    found = holder(version, *STATIC)
    found.lock_all()
    assert found.environment.effects == []


@of_5
def test_static_topic_locks_are_not_released_at_shutdown(version):
    found = holder(version, *STATIC)
    found.unlock_all()
    assert found.environment.effects == []
    assert all(entry.locked for entry in found.process_queue_table.values())


@of_5
def test_static_queue_after_another_queue_of_its_broker_is_included(version):
    found = holder(version, A, STATIC[0], B, STATIC[1])
    found.lock_all()
    batch = (A, STATIC[0], B, STATIC[1])
    assert found.environment.effects[0] == (LOCK_BATCH, None, batch, batch)


@of_5
def test_static_queue_before_others_is_lost(version):
    found = holder(version, STATIC[0], A, STATIC[1], B)
    found.lock_all()
    assert found.environment.effects[0] == (LOCK_BATCH, None, (A, STATIC[1], B), (A, STATIC[1], B))


@of_5
def test_logical_name_with_an_address_loses_all_but_the_last(version):
    found = holder(version, *RENAMED, static=RENAMED)
    found.lock_all()
    assert found.environment.effects == [(LOCK, RENAMED[2], "ok"), (PROCESS_QUEUE_LOCKED, RENAMED[2], 1)]
    found.environment.effects.clear()
    found.unlock_all()
    assert found.environment.effects == [(UNLOCK, RENAMED[2]), (PROCESS_QUEUE_LOCKED, RENAMED[2], 0)]
    assert [entry.locked for entry in found.process_queue_table.values()] == [True, True, False]


@of_5
def test_queue_with_an_unknown_broker_is_skipped(version):
    found = holder(version, *RENAMED, static=RENAMED[:1])
    found.lock_all()
    assert found.environment.effects == [(LOCK, RENAMED[2], "ok"), (PROCESS_QUEUE_LOCKED, RENAMED[2], 1)]


@of_5
def test_other_topics_are_not_affected(version):
    found = holder(version, A, B)
    found.environment.topic_end_points |= {"T": {}}
    found.unlock_all()
    assert found.environment.effects[0] == (UNLOCK_BATCH, None, (A, B))


def test_client_4_9_ignores_static_topics():
    found = holder(JavaV4_9, *RENAMED, static=RENAMED)
    found.lock_all()
    assert found.environment.effects[0] == (LOCK_BATCH, None, RENAMED, RENAMED)


@of_5
def test_brokers_are_asked_in_the_given_order(version):
    elsewhere = MessageQueue("T", "broker-b", 0)
    found = client(version, held=[A, elsewhere])
    found.iterate = lambda table, queues: list(queues)[::-1] if table == "brokers" else queues
    found.lock_all()
    assert [effect[1] for effect in found.environment.effects if effect[0] == LOCK] == [elsewhere, A]
