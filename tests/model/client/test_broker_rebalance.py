"""A rebalance of which the broker computes the result."""

import pytest

from model.client.effects import FIND_CONSUMER_IDS, IN, OUT, PULL_REQUEST, QUERY_ASSIGNMENT, QUEUE_CHANGED
from model.client.environment import THROWS, Answers
from model.client.java_v4_9 import JavaV4_9
from model.client.java_v5_0 import JavaV5_0
from model.client.java_v5_3_2 import JavaV5_3_2
from model.client.settings import LITE_PULL
from tests.model.client.java_clients import A, B, C, client, done, names

of_5 = pytest.mark.parametrize("version", [JavaV5_0, JavaV5_3_2])


def assigned(version, queues, held=(), answers=None, **settings):
    """A client that leaves it to the broker, which assigns ``queues`` of T."""
    found = client(version, answers, held, client_rebalance=False, **settings)
    found.assignments = {"T": queues}
    return found


@of_5
def test_the_broker_assigns(version):
    found = assigned(version, [A, B], held=[B, C])
    assert found.do_rebalance(False) is True
    assert done(found, OUT) == [(C,)]
    assert done(found, IN) == [(A,)]
    assert done(found, QUEUE_CHANGED) == [(None, "T", None, (A, B))]
    assert FIND_CONSUMER_IDS not in names(found)


@of_5
def test_queues_to_be_pulled_subscribe_to_the_retry_topic_once(version):
    found = assigned(version, [A])
    found.do_rebalance(False)
    assert found.subscription_inner == ("T", "%RETRY%G_T")
    found.assignments = {"T": [A], "%RETRY%G_T": [A._replace(topic="%RETRY%G_T")]}
    found.do_rebalance(False)
    assert found.subscription_inner == ("T", "%RETRY%G_T")


@of_5
def test_nothing_assigned_releases_everything_and_subscribes_to_nothing(version):
    found = assigned(version, [], held=[A])
    assert found.do_rebalance(False) is True
    assert found.process_queue_table == {}
    assert found.subscription_inner == ("T",)


@of_5
def test_an_answer_without_a_list_is_no_assignment(version):
    found = assigned(version, None, held=[A])
    assert found.do_rebalance(False) is False
    assert list(found.process_queue_table) == [A]


def test_5_1_asks_first_whether_the_broker_can_and_remembers():
    found = assigned(JavaV5_0, [])
    found.do_rebalance(False)
    assert done(found, QUERY_ASSIGNMENT) == [(None, "T", 1000), (None, "T", 3000)]
    found.do_rebalance(False)
    assert done(found, QUERY_ASSIGNMENT)[2:] == [(None, "T", 3000)]


def test_5_1_computes_it_itself_when_the_broker_cannot():
    found = assigned(JavaV5_0, [])
    found.assignments = {}
    found.do_rebalance(False)
    found.do_rebalance(False)
    assert done(found, QUERY_ASSIGNMENT) == [(None, "T", 1000)]
    assert len(found.process_queue_table) == 4


def test_5_3_does_nothing_when_the_broker_cannot():
    found = assigned(JavaV5_3_2, [], held=[A])
    found.assignments = {}
    assert found.do_rebalance(False) is False
    assert names(found) == [QUERY_ASSIGNMENT]


@of_5
def test_an_exception_of_the_offset_store_costs_only_its_queue(version):
    found = assigned(version, [A, B, C], answers={B: Answers(stored=THROWS)})
    assert found.do_rebalance(False) is False
    assert done(found, PULL_REQUEST) == [(A, 100, 500), (C, 100, 500)]


@of_5
@pytest.mark.parametrize("settings", [{"orderly": True}, {"broadcasting": True}, {"kind": LITE_PULL}])
def test_only_concurrent_clustered_push_consumers_leave_it_to_the_broker(version, settings):
    found = assigned(version, [], **settings)
    found.do_rebalance(False)
    assert QUERY_ASSIGNMENT not in names(found)
    assert len(found.process_queue_table) == 4


def test_4_9_does_not_know_of_it():
    found = client(JavaV4_9, client_rebalance=False)
    found.do_rebalance(False)
    assert QUERY_ASSIGNMENT not in names(found)
    assert len(found.process_queue_table) == 4
