"""After a change of processQueueTable: thresholds, the heartbeat, and the MessageQueueListener."""

import pytest

from rebalance_proofs.model.client.effects import (
    HEARTBEAT,
    LISTENER,
    PULL_THRESHOLD,
    PULL_THRESHOLD_SIZE,
    QUEUE_CHANGED,
    RuntimeException,
)
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from rebalance_proofs.model.client.settings import LITE_PULL, PULL, Listener
from tests.model.client.java_clients import A, B, C, T, client, done, every_version, names


@every_version
@pytest.mark.parametrize(
    ("settings", "held", "expected"),
    [
        ({}, [A], {}),
        ({"pull_threshold_for_topic": 1000}, T, {PULL_THRESHOLD: 250}),
        ({"pull_threshold_size_for_topic": 3}, [A, B], {PULL_THRESHOLD_SIZE: 1}),
        ({"pull_threshold_for_topic": 3}, T, {PULL_THRESHOLD: 1}),
        (
            {"pull_threshold_for_topic": 10, "pull_threshold_size_for_topic": 7},
            T[:3],
            {PULL_THRESHOLD: 3, PULL_THRESHOLD_SIZE: 2},
        ),
        ({"pull_threshold_for_topic": 1000}, [], {}),
    ],
)
def test_thresholds_are_divided_by_the_number_of_entries(version, settings, held, expected):
    found = client(version, held=held, **settings)
    found.message_queue_changed("T", T, held)
    thresholds = [(name, None, value) for name, value in expected.items()]
    assert found.environment.effects == [
        (QUEUE_CHANGED, None, "T", T, tuple(held)),
        *thresholds,
        (HEARTBEAT, None),
    ]


@pytest.mark.parametrize(("version", "called"), [(JavaV4_9, False), (JavaV5_0, False), (JavaV5_3_2, True)])
def test_push_consumer_calls_its_listener_depending_on_the_version(version, called):
    found = client(version, held=[A], listener=Listener.RETURNS)
    found.message_queue_changed("T", None, [A])
    assert done(found, LISTENER) == [(None, "T", None, (A,))] * called


@every_version
@pytest.mark.parametrize("kind", [PULL, LITE_PULL])
@pytest.mark.parametrize("listener", [None, *Listener])
def test_pull_consumer_only_calls_its_listener(version, kind, listener):
    found = client(version, kind=kind, listener=listener, pull_threshold_for_topic=1000)
    assert found.update_process_queue_table_in_rebalance("T", [A], False)
    found.message_queue_changed("T", T, [A])
    thrown = ("throw",) if listener is Listener.THROWS else ()
    assert done(found, LISTENER) == [(None, "T", T, (A,), *thrown)] * (listener is not None)
    assert not {HEARTBEAT, PULL_THRESHOLD} & set(names(found))


def test_throwing_listener_makes_a_push_consumer_unbalanced_once():
    found = client(JavaV5_3_2, listener=Listener.THROWS)
    with pytest.raises(RuntimeException):
        found.message_queue_changed("T", T, [C])
    assert found.do_rebalance(False) is False
    assert set(found.process_queue_table) == set(T)
    assert found.do_rebalance(False) is True


@every_version
def test_just_unsubscribed_push_consumer_throws(version):
    found = client(version, pull_threshold_for_topic=1000)
    found.subscription_inner = ()
    with pytest.raises(RuntimeException, match=r"^NullPointerException$"):
        found.rebalance_by_topic("T", False)
    assert names(found)[-1] == QUEUE_CHANGED
    assert set(found.process_queue_table) == set(T)


@every_version
@pytest.mark.parametrize("kind", [PULL, LITE_PULL])
def test_pull_consumer_needs_no_subscription(version, kind):
    found = client(version, kind=kind)
    found.subscription_inner = ()
    found.rebalance_by_topic("T", False)
    assert names(found)[-1] == QUEUE_CHANGED


@pytest.mark.parametrize("version", [JavaV5_0, JavaV5_3_2])
def test_unsubscribed_topic_without_a_route_does_not_throw(version):
    found = client(version)
    found.subscription_inner, found.topic_subscribe_info_table = (), {}
    with pytest.raises(RuntimeException, match=r"^NullPointerException$"):
        found.rebalance_by_topic("T", False)
