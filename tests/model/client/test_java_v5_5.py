"""What Java 5.5.0 does otherwise than 5.3.2: topics without queues, groups without members, static topics."""

import pytest

from rebalance_proofs.model.client.effects import (
    ALLOCATE,
    FIND_CONSUMER_IDS,
    HEARTBEAT,
    LISTENER,
    LOCK_BATCH,
    PROCESS_QUEUE_LOCKED,
    QUEUE_CHANGED,
    UNLOCK_BATCH,
)
from rebalance_proofs.model.client.environment import LOGICAL_QUEUE_MOCK_BROKER_PREFIX
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2, JavaV5_5
from rebalance_proofs.model.client.settings import LITE_PULL, Listener
from rebalance_proofs.model.queues import one_broker
from tests.model.client.java_clients import A, B, T, client, done, names
from tests.model.client.test_static_topics import RENAMED, STATIC, holder

both = pytest.mark.parametrize("version", [JavaV5_3_2, JavaV5_5], ids=lambda version: version.__name__)
without_queues = pytest.mark.parametrize("route", [{}, {"T": ()}], ids=["no route", "no readable queue"])


def refuses(mq_all, cid_all):
    """Throw like RocketMQ's strategies if one of the lists is empty."""
    if not mq_all or not cid_all:
        raise ValueError(ALLOCATE)
    return mq_all


@both
def test_rebalance_of_a_topic_with_queues_is_unchanged(version):
    found = client(version, held=[A])
    assert found.rebalance_by_topic("T", False) is True
    assert names(found)[0] == FIND_CONSUMER_IDS
    assert set(found.process_queue_table) == set(T)


@without_queues
def test_topic_without_queues_ends_before_the_id_query(route):
    found = client(JavaV5_5, held=[A, B])
    found.topic_subscribe_info_table, found.allocate = route, refuses
    assert found.rebalance_by_topic("T", False) is True
    assert names(found) == [QUEUE_CHANGED, HEARTBEAT]
    assert done(found, QUEUE_CHANGED) == [(None, "T", (), ())]
    assert list(found.process_queue_table) == [A, B]


def test_empty_list_of_queues_failed_before():
    found = client(JavaV5_3_2, held=[A, B])
    found.topic_subscribe_info_table, found.allocate = {"T": ()}, refuses
    assert found.rebalance_by_topic("T", False) is False
    assert names(found) == [FIND_CONSUMER_IDS]
    assert list(found.process_queue_table) == [A, B]


def test_strategy_that_accepts_empty_lists_is_not_called_any_more():
    """A strategy such as CONFIG, or a user's, could release all queues of a topic without a readable queue."""
    tables = []
    for version in (JavaV5_3_2, JavaV5_5):
        found = client(version, held=[A, B])
        found.topic_subscribe_info_table, found.allocate = {"T": ()}, lambda mq_all, cid_all: ()
        assert found.rebalance_by_topic("T", False) is True
        tables.append(list(found.process_queue_table))
    assert tables == [[], [A, B]]


@without_queues
def test_retry_topic_without_queues_has_no_effects(route):
    found = client(JavaV5_5)
    found.topic_subscribe_info_table = dict.fromkeys(["%RETRY%G"], ()) if route else {}
    assert found.rebalance_by_topic("%RETRY%G", False) is True
    assert names(found) == []


@pytest.mark.parametrize(("version", "balanced"), [(JavaV5_3_2, False), (JavaV5_5, True)])
def test_empty_list_of_members_leaves_the_table_and_decides_the_wait(version, balanced):
    found = client(version, held=[A])
    found.consumer_ids, found.allocate = {"T": []}, refuses
    assert found.rebalance_by_topic("T", False) is balanced
    assert names(found) == [FIND_CONSUMER_IDS]
    assert list(found.process_queue_table) == [A]


def test_lite_pull_consumer_hears_of_no_queues_and_never_of_their_return():
    """Its listener cancels pull tasks. The process queues stay, so their return changes nothing."""
    told = {}
    for version in (JavaV5_3_2, JavaV5_5):
        found = client(version, held=T, kind=LITE_PULL, listener=Listener.RETURNS)
        found.allocate = refuses
        found.topic_subscribe_info_table = {"T": ()}
        found.rebalance_by_topic("T", False)
        found.topic_subscribe_info_table = {"T": T}
        found.rebalance_by_topic("T", False)
        assert list(found.process_queue_table) == list(T)
        told[version] = done(found, LISTENER)
    assert told == {JavaV5_3_2: [], JavaV5_5: [(None, "T", (), ())]}


def test_broadcasting_consumer_is_unchanged():
    found = client(JavaV5_5, held=[A], broadcasting=True)
    found.topic_subscribe_info_table = {"T": ()}
    assert found.rebalance_by_topic("T", False) is True
    assert list(found.process_queue_table) == []


@pytest.mark.parametrize("static", [STATIC, RENAMED], ids=["without address", "with another address"])
def test_locks_of_static_topics_go_to_the_broker_of_the_queues(static):
    found = holder(JavaV5_5, *static, static=static)
    found.lock_all()
    assert found.environment.effects == [
        (LOCK_BATCH, None, static, static),
        *((PROCESS_QUEUE_LOCKED, queue, 1) for queue in static),
    ]
    found.environment.effects.clear()
    found.unlock_all()
    assert found.environment.effects[0] == (UNLOCK_BATCH, None, static)
    assert not any(entry.locked for entry in found.process_queue_table.values())


def test_static_queue_shares_the_request_of_its_broker_wherever_it_comes():
    found = holder(JavaV5_5, STATIC[0], A, STATIC[1], B)
    found.lock_all()
    batch = (STATIC[0], A, STATIC[1], B)
    assert found.environment.effects[0] == (LOCK_BATCH, None, batch, batch)


def test_static_queue_that_is_on_no_broker_is_not_requested():
    moved = one_broker(2, "S", f"{LOGICAL_QUEUE_MOCK_BROKER_PREFIX}global__")
    found = holder(JavaV5_5, *moved, A, static=moved[:1])
    found.lock_all()
    assert found.environment.effects[0] == (LOCK_BATCH, None, (moved[0], A), (moved[0], A))
