"""Queues whose messages a client pops, because its broker says so."""

import pytest

from rebalance_proofs.model.client.broker_rebalance import Assignment, PopProcessQueue
from rebalance_proofs.model.client.effects import (
    DROP,
    HEARTBEAT,
    OUT,
    PERSIST,
    POP_REQUEST,
    QUERY_ASSIGNMENT,
    QUEUE_CHANGED,
)
from rebalance_proofs.model.client.environment import THROW, Answers
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from tests.model.client.java_clients import NOW, OTHER, A, B, C, client, done, names

of_5 = pytest.mark.parametrize("version", [JavaV5_0, JavaV5_3_2])


def popping(version, pop=(), pull=(), held=(), answers=None):
    """A client whose broker assigns these queues of T."""
    found = client(version, answers, held, client_rebalance=False)
    found.assignments = {"T": Assignment(pull, pop)}
    return found


def effects_of_rebalance(found):
    """What the client does besides asking."""
    found.environment.effects.clear()
    found.do_rebalance(False)
    return [effect for effect in found.environment.effects if effect[0] != QUERY_ASSIGNMENT]


@of_5
def test_popped_queue_needs_no_offset(version):
    found = popping(version, [A, B])
    assert effects_of_rebalance(found) == [
        (POP_REQUEST, A, 500),
        (POP_REQUEST, B, 500),
        (QUEUE_CHANGED, None, "T", None, (A, B)),
        (HEARTBEAT, None),
    ]
    assert list(found.pop_process_queue_table) == [A, B]
    assert found.process_queue_table == {}
    for entry in found.pop_process_queue_table.values():
        entry.last_pop_timestamp = NOW
    assert effects_of_rebalance(found) == []
    assert found.do_rebalance(False) is True


@pytest.mark.parametrize(("version", "again"), [(JavaV5_0, True), (JavaV5_3_2, False)])
def test_popped_queue_is_added_again_before_its_first_pop_up_to_5_1_4(version, again):
    """rocketmq#7570."""
    found = popping(version, [A, B])
    first = effects_of_rebalance(found)
    before = dict(found.pop_process_queue_table)
    assert effects_of_rebalance(found) == (first if again else [])
    assert list(found.pop_process_queue_table) == [A, B]
    assert all(entry.dropped is again for entry in before.values())


@of_5
def test_pulled_queue_can_become_popped(version):
    found = popping(version, [A], held=[A, B])
    found.subscription_inner = ("T", "%RETRY%G_T")
    found.rebalance_one("T", False)
    assert found.subscription_inner == ("T",)
    assert done(found, OUT) == [(A,), (B,)]
    assert list(found.pop_process_queue_table) == [A]
    assert found.process_queue_table == {}


@of_5
def test_popped_queue_can_become_pulled(version):
    found = popping(version, [A])
    found.do_rebalance(False)
    popped = found.pop_process_queue_table[A]
    found.assignments = {"T": Assignment(pull=[A])}
    found.do_rebalance(False)
    assert popped.dropped
    assert found.pop_process_queue_table == {}
    assert list(found.process_queue_table) == [A]
    assert "%RETRY%G_T" in found.subscription_inner


@of_5
def test_mixed_modes_leave_the_subscriptions_unchanged(version):
    for topics in (("T",), ("T", "%RETRY%G_T")):
        found = popping(version, [A], [B])
        found.subscription_inner = topics
        assert found.rebalance_one("T", False) is True
        assert found.subscription_inner == topics
        assert (list(found.pop_process_queue_table), list(found.process_queue_table)) == ([A], [B])


@of_5
@pytest.mark.parametrize(("idle", "again"), [(120_000, False), (120_001, True)])
def test_queue_without_a_recent_pop_is_replaced(version, idle, again):
    found = popping(version, [A])
    found.pop_process_queue_table = {A: (former := PopProcessQueue(last_pop_timestamp=NOW - idle))}
    found.do_rebalance(False)
    assert former.dropped is again
    assert (POP_REQUEST in names(found)) is again


@of_5
def test_popped_queues_of_other_topics_stay(version):
    found = popping(version)
    found.subscription_inner = ("T", "U")
    found.pop_process_queue_table = {OTHER: PopProcessQueue()}
    found.rebalance_one("T", False)
    assert list(found.pop_process_queue_table) == [OTHER]


@of_5
def test_failed_persist_of_a_pulled_queue_keeps_popped_queues(version):
    found = popping(version, [B], held=[A], answers={A: Answers(persist=THROW)})
    found.pop_process_queue_table = {C: PopProcessQueue()}
    assert found.do_rebalance(False) is False
    assert done(found, PERSIST) == [(A, THROW)]
    assert list(found.pop_process_queue_table) == [C]


@of_5
def test_popped_queues_of_an_unsubscribed_topic_are_removed(version):
    found = popping(version)
    found.pop_process_queue_table = {A: (former := PopProcessQueue(last_pop_timestamp=NOW))}
    found.subscription_inner = ()
    found.do_rebalance(False)
    assert former.dropped
    assert found.pop_process_queue_table == {}


@of_5
def test_destroy_drops_popped_queues(version):
    found = popping(version, [A], held=[B])
    found.pop_process_queue_table = {A: (former := PopProcessQueue())}
    found.destroy()
    assert former.dropped
    assert found.pop_process_queue_table == {}
    assert done(found, DROP) == [(B,)]
