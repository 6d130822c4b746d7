"""Rebalances whose result the broker computes."""

import pytest

from rebalance_proofs.model.client.broker_rebalance import BROKER_EXCEPTION, TIMEOUT, Assignment
from rebalance_proofs.model.client.effects import (
    FIND_CONSUMER_IDS,
    IN,
    OUT,
    PULL_REQUEST,
    QUERY_ASSIGNMENT,
    QUEUE_CHANGED,
)
from rebalance_proofs.model.client.environment import THROWS, Answers
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0, JavaV5_0_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_2, JavaV5_3_2
from rebalance_proofs.model.client.settings import LITE_PULL
from tests.model.client.java_clients import A, B, C, client, done, names

of_5 = pytest.mark.parametrize("version", [JavaV5_0, JavaV5_3_2])


def assigned(version, answer, held=(), answers=None, **settings):
    """A client that leaves it to the broker, which answers that for T; a list is of queues to be pulled."""
    found = client(version, answers, held, client_rebalance=False, **settings)
    found.assignments = {"T": Assignment(pull=answer) if isinstance(answer, list) else answer}
    return found


def asked(found):
    """The topics and timeouts of all queries, and the answers that are no assignment."""
    return [effect[1:] for effect in done(found, QUERY_ASSIGNMENT)]


@of_5
def test_broker_assignment_is_applied(version):
    found = assigned(version, [A, B], held=[B, C])
    assert found.do_rebalance(False) is True
    assert done(found, OUT) == [(C,)]
    assert done(found, IN) == [(A,)]
    assert done(found, QUEUE_CHANGED) == [(None, "T", None, (A, B))]
    assert FIND_CONSUMER_IDS not in names(found)


@of_5
def test_pulled_queues_subscribe_to_the_retry_topic_once(version):
    found = assigned(version, [A])
    found.do_rebalance(False)
    assert found.subscription_inner == ("T", "%RETRY%G_T")
    found.assignments = {
        "T": Assignment(pull=[A]),
        "%RETRY%G_T": Assignment(pull=[A._replace(topic="%RETRY%G_T")]),
    }
    found.do_rebalance(False)
    assert found.subscription_inner == ("T", "%RETRY%G_T")


@of_5
def test_empty_assignment_releases_all_queues(version):
    found = assigned(version, [], held=[A])
    assert found.do_rebalance(False) is True
    assert found.process_queue_table == {}
    assert found.subscription_inner == ("T",)


@of_5
def test_answer_without_a_list_is_no_assignment(version):
    found = assigned(version, None, held=[A])
    assert found.do_rebalance(False) is False
    assert list(found.process_queue_table) == [A]


that_try = pytest.mark.parametrize("version", [JavaV5_0_0, JavaV5_0, JavaV5_2])


@that_try
@pytest.mark.parametrize(("answer", "words"), [([], ()), (None, ("null",))])
def test_any_answer_means_broker_support_before_5_3_2(version, answer, words):
    found = assigned(version, answer)
    found.do_rebalance(False)
    assert asked(found) == [("T", 1000, *words), ("T", 3000, *words)]
    found.do_rebalance(False)
    assert asked(found)[2:] == [("T", 3000, *words)]


@that_try
@pytest.mark.parametrize(
    ("answer", "timeouts"), [(BROKER_EXCEPTION, [1000]), (TIMEOUT, [1000, 2000, 3000])], ids=["refused", "timeout"]
)
def test_client_divides_queues_itself_without_broker_support_before_5_3_2(version, answer, timeouts):
    found = assigned(version, answer)
    assert found.do_rebalance(False) is True
    assert found.do_rebalance(False) is True
    assert asked(found) == [("T", timeout, answer) for timeout in timeouts]
    assert len(found.process_queue_table) == 4


@that_try
@pytest.mark.parametrize(("answer", "first"), [([], [1000, 3000]), (BROKER_EXCEPTION, [1000])])
def test_unsubscribed_topic_is_tested_again_before_5_3_2(version, answer, first):
    found = assigned(version, answer)
    found.do_rebalance(False)
    found.subscription_inner = ()
    found.do_rebalance(False)
    found.subscription_inner = ("T",)
    found.do_rebalance(False)
    assert [timeout for _, timeout, *_ in asked(found)] == first * 2


@that_try
def test_broker_failure_after_support_leaves_the_table_unchanged_before_5_3_2(version):
    found = assigned(version, [A], held=[A])
    found.do_rebalance(False)
    for answer in (BROKER_EXCEPTION, TIMEOUT, None):
        found.assignments = {"T": answer, "%RETRY%G_T": Assignment()}
        found.environment.effects.clear()
        found.rebalance_one("T", False)
        assert asked(found) == [("T", 3000, answer or "null")]
        assert list(found.process_queue_table) == [A]


@pytest.mark.parametrize("answer", [BROKER_EXCEPTION, TIMEOUT, None])
def test_client_5_3_2_asks_once_and_does_nothing_without_support(answer):
    found = assigned(JavaV5_3_2, answer, held=[A])
    assert found.do_rebalance(False) is False
    assert found.environment.effects == [(QUERY_ASSIGNMENT, None, "T", 3000, answer or "null")]
    assert list(found.process_queue_table) == [A]


@of_5
def test_topic_without_a_known_broker_gets_a_null_answer(version):
    found = assigned(version, [], held=[A])
    found.assignments = {}
    assert found.do_rebalance(False) is False
    assert asked(found)[-1] == ("T", 3000, "null")
    assert list(found.process_queue_table) == [A]


@of_5
@pytest.mark.parametrize(
    ("topics", "seen"),
    [(("T",), ["T"]), (("T", "U"), ["T", "U", "%RETRY%G_T"])],
    ids=["behind the last one", "behind the next one"],
)
def test_added_retry_topic_is_visited_unless_the_iterator_is_at_the_end(version, topics, seen):
    found = assigned(version, [A])
    found.subscription_inner = topics
    found.do_rebalance(False)
    assert [topic for topic, timeout, *_ in asked(found) if timeout == 3000] == seen


@of_5
def test_removed_retry_topic_is_visited_only_if_it_is_next(version):
    for topics, seen in (
        (("T", "%RETRY%G_T", "U"), ["T", "%RETRY%G_T", "U"]),
        (("T", "U", "%RETRY%G_T", "V"), ["T", "U", "V"]),
    ):
        found = assigned(version, Assignment(pop=[A]))
        found.subscription_inner = topics
        found.do_rebalance(False)
        assert [topic for topic, timeout, *_ in asked(found) if timeout == 3000] == seen


@of_5
def test_offset_store_exception_skips_only_its_queue(version):
    found = assigned(version, [A, B, C], answers={B: Answers(stored=THROWS)})
    assert found.do_rebalance(False) is False
    assert done(found, PULL_REQUEST) == [(A, 100, 500), (C, 100, 500)]


@of_5
@pytest.mark.parametrize("settings", [{"orderly": True}, {"broadcasting": True}, {"kind": LITE_PULL}])
def test_only_concurrent_clustering_push_consumers_use_broker_assignment(version, settings):
    found = assigned(version, [], **settings)
    found.do_rebalance(False)
    assert QUERY_ASSIGNMENT not in names(found)
    assert len(found.process_queue_table) == 4


def test_client_4_9_ignores_the_broker_assignment_option():
    found = client(JavaV4_9, client_rebalance=False)
    found.do_rebalance(False)
    assert QUERY_ASSIGNMENT not in names(found)
    assert len(found.process_queue_table) == 4
