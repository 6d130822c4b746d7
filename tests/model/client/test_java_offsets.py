"""The offset at which a Java client begins to pull a new queue."""

import pytest

from rebalance_proofs.model.client.effects import (
    LOCK,
    MAX_OFFSET,
    PULL_REQUEST,
    READ_OFFSET,
    REBALANCE_LATER,
    SEARCH_OFFSET,
    MQClientException,
    RuntimeException,
)
from rebalance_proofs.model.client.environment import DENIED, FAILS, NO_BROKER, THROWS, Answers
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9, JavaV4_9_0
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import LITE_PULL, PULL, PUSH
from rebalance_proofs.model.queues import MessageQueue
from tests.model.client.java_clients import A, B, C, T, client, done, every_version, names

LAST, FIRST, TIMESTAMP = ConsumeFromWhere.LAST_OFFSET, ConsumeFromWhere.FIRST_OFFSET, ConsumeFromWhere.TIMESTAMP
RETRY = MessageQueue("%RETRY%G", "broker-a", 0)


def asked(found):
    """Which queries were made."""
    return [name for name in names(found) if name in (READ_OFFSET, MAX_OFFSET, SEARCH_OFFSET)]


@every_version
@pytest.mark.parametrize("kind", [PUSH, LITE_PULL])
@pytest.mark.parametrize("where", [LAST, FIRST, TIMESTAMP])
def test_stored_offset_is_used_first(version, kind, where):
    found = client(version, {A: Answers(stored=0)}, kind=kind, consume_from_where=where)
    assert found.compute_pull_from_where(A) == 0
    assert done(found, READ_OFFSET) == [(A, "S" if kind is PUSH else "MS", 0)]


@every_version
@pytest.mark.parametrize("kind", [PUSH, LITE_PULL])
@pytest.mark.parametrize(
    ("where", "queue", "offset", "query"),
    [
        (LAST, A, 77, [MAX_OFFSET]),
        (LAST, RETRY, 0, []),
        (FIRST, A, 0, []),
        (FIRST, RETRY, 0, []),
        (TIMESTAMP, A, 77, [SEARCH_OFFSET]),
        (TIMESTAMP, RETRY, 77, [MAX_OFFSET]),
    ],
)
def test_start_offset_without_a_stored_one_depends_on_the_setting(version, kind, where, queue, offset, query):
    found = client(version, {queue: Answers(stored=-1, queried=77)}, kind=kind, consume_from_where=where)
    assert found.compute_pull_from_where(queue) == offset
    assert asked(found) == [READ_OFFSET, *query]


@every_version
@pytest.mark.parametrize("where", [where for where in ConsumeFromWhere if where not in (LAST, FIRST, TIMESTAMP)])
def test_deprecated_settings_mean_last_for_push(version, where):
    pushing = client(version, {A: Answers(stored=-1, queried=77)}, consume_from_where=where)
    assert pushing.compute_pull_from_where(A) == 77
    lite = client(version, kind=LITE_PULL, consume_from_where=where)
    assert lite.compute_pull_from_where(A) == -1
    assert asked(lite) == []


@every_version
def test_pull_consumer_starts_at_0(version):
    found = client(version, kind=PULL)
    assert found.compute_pull_from_where(A) == 0
    assert names(found) == []


@pytest.mark.parametrize("answers", [Answers(stored=-2), Answers(stored=-3), Answers(stored=-1, queried=-1)])
def test_failed_query_is_thrown_from_5_0_on(answers):
    for version in (JavaV5_0, JavaV5_3_2):
        found = client(version, {A: answers})
        with pytest.raises(MQClientException):
            found.compute_pull_from_where_with_exception(A)
        assert found.compute_pull_from_where(A) == -1
    assert client(JavaV4_9, {A: answers}).compute_pull_from_where_with_exception(A) == -1


@every_version
@pytest.mark.parametrize("kind", [PUSH, LITE_PULL])
def test_max_offset_and_store_exceptions_are_thrown(version, kind):
    found = client(version, {A: Answers(stored=-1, queried=FAILS)}, kind=kind)
    with pytest.raises(MQClientException):
        found.compute_pull_from_where_with_exception(A)
    assert found.compute_pull_from_where(A) == -1
    for answers in (Answers(stored=THROWS), Answers(stored=-1, queried=THROWS)):
        found = client(version, {A: answers}, kind=kind)
        with pytest.raises(RuntimeException):
            found.compute_pull_from_where(A)


@every_version
@pytest.mark.parametrize("answers", [Answers(stored=-2), Answers(stored=-1, queried=FAILS)])
def test_queue_without_an_offset_is_not_taken_and_keeps_its_lock(version, answers):
    found = client(version, {A: answers}, orderly=True)
    assert not found.update_process_queue_table_in_rebalance("T", [A], True)
    assert found.process_queue_table == {}
    assert [name for name in names(found) if name.startswith("unlock")] == []


@pytest.mark.parametrize(("version", "pulled"), [(JavaV4_9, [A, C]), (JavaV5_0, None), (JavaV5_3_2, None)])
def test_exception_loses_pull_requests_from_5_0_on(version, pulled):
    found = client(version, {B: Answers(stored=THROWS)})
    if pulled:
        assert found.update_process_queue_table_in_rebalance("T", [A, B, C], False)
        assert done(found, PULL_REQUEST) == [(queue, 100, 0) for queue in pulled]
    else:
        with pytest.raises(RuntimeException):
            found.update_process_queue_table_in_rebalance("T", [A, B, C], False)
        assert list(found.process_queue_table) == [A]
        assert done(found, PULL_REQUEST) == []


@pytest.mark.parametrize(("version", "later"), [(JavaV4_9, []), (JavaV5_0, [(None, 500)]), (JavaV5_3_2, [(None, 500)])])
def test_denied_locks_schedule_one_rebalance(version, later):
    found = client(version, {A: Answers(lock=DENIED), B: Answers(lock=NO_BROKER)}, orderly=True)
    found.update_process_queue_table_in_rebalance("T", T, True)
    assert done(found, REBALANCE_LATER) == later
    assert [effect[0] for effect in done(found, LOCK)] == [A, *T[2:]]
    assert list(found.process_queue_table) == list(T[2:])


@pytest.mark.parametrize(("kind", "where"), [(PUSH, LAST), (PUSH, TIMESTAMP), (LITE_PULL, TIMESTAMP)])
def test_failed_query_is_an_exception_in_4_9_0(kind, where):
    found = client(JavaV4_9_0, {A: Answers(stored=-1, queried=FAILS)}, kind=kind, consume_from_where=where)
    with pytest.raises(MQClientException):
        found.compute_pull_from_where_with_exception(A)


def test_failed_query_of_a_lite_pull_consumer_is_no_exception_in_4_9_0():
    """Observed on the released jar; from 4.9.1 on it is an exception."""
    answers = {A: Answers(stored=-1, queried=FAILS)}
    found = client(JavaV4_9_0, answers, kind=LITE_PULL, consume_from_where=LAST)
    assert found.compute_pull_from_where_with_exception(A) == -1
