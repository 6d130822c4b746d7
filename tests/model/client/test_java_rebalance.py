"""The Java client's rebalance of a topic: where it returns early, and what it logs then."""

import pytest

from rebalance_proofs.model.client.effects import (
    ALLOCATE,
    DROP,
    FIND_CONSUMER_IDS,
    HEARTBEAT,
    IN,
    LOCK,
    OUT,
    PERSIST,
    QUEUE_CHANGED,
    REMOVE_OFFSET,
    RuntimeException,
)
from rebalance_proofs.model.client.environment import DENIED, THROW, THROWS, Answers
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.generations import GENERATIONS
from tests.model.client.java_clients import NOW, OTHER, A, B, C, T, client, done, entry, every_version, names

WITHOUT_ROUTE = {JavaV4_9: [], JavaV5_0: [QUEUE_CHANGED, HEARTBEAT], JavaV5_3_2: [QUEUE_CHANGED, HEARTBEAT]}


def says(version, balanced):
    """4.9 says nothing."""
    return None if version is JavaV4_9 else balanced


@every_version
def test_rebalance_takes_all_assigned_queues(version):
    found = client(version)
    assert found.rebalance_by_topic("T", False) is says(version, True)
    assert set(found.process_queue_table) == set(T)
    assert done(found, QUEUE_CHANGED) == [(None, "T", T, T)]


@every_version
def test_unchanged_table_has_no_effects(version):
    found = client(version, held=T)
    assert found.rebalance_by_topic("T", False) is says(version, True)
    assert names(found) == [FIND_CONSUMER_IDS]


@every_version
def test_missing_route_leaves_the_table_unchanged(version):
    found = client(version, held=[A])
    found.topic_subscribe_info_table = {}
    assert found.rebalance_by_topic("T", False) is says(version, True)
    assert names(found) == [FIND_CONSUMER_IDS, *WITHOUT_ROUTE[version]]
    assert all(effect[1:] == (None, "T", (), ()) for effect in found.environment.effects if effect[0] == QUEUE_CHANGED)
    assert list(found.process_queue_table) == [A]


@every_version
def test_missing_route_in_broadcasting_mode_depends_on_the_version(version):
    found = client(version, held=[A], broadcasting=True)
    found.topic_subscribe_info_table = {}
    assert found.rebalance_by_topic("T", False) is says(version, True)
    assert names(found) == WITHOUT_ROUTE[version]


@every_version
def test_retry_topic_without_a_route_is_not_reported(version):
    found = client(version)
    assert found.rebalance_by_topic("%RETRY%G", False) is says(version, True)
    assert names(found) == [FIND_CONSUMER_IDS]


@every_version
def test_missing_client_ids_leave_the_table_unchanged(version):
    found = client(version, held=[A, OTHER])
    found.consumer_ids = {}
    assert found.rebalance_by_topic("T", False) is says(version, True)
    assert names(found) == [FIND_CONSUMER_IDS]
    assert list(found.process_queue_table) == [A, OTHER]


@every_version
def test_allocate_gets_both_lists_sorted(version):
    found = client(version)
    asked = []
    found.topic_subscribe_info_table = {"T": T[::-1]}
    found.consumer_ids = {"T": ["c1", "c0", "c0"]}
    found.allocate = lambda mq_all, cid_all: asked.append((mq_all, cid_all))
    found.rebalance_by_topic("T", False)
    assert asked == [(list(T), ["c0", "c0", "c1"])]


@every_version
@pytest.mark.parametrize("error", [ValueError, RuntimeException])
def test_throwing_allocate_leaves_the_table_unchanged(version, error):
    def allocate(mq_all, cid_all):
        raise error(ALLOCATE)

    found = client(version, held=[A])
    found.allocate = allocate
    assert found.rebalance_by_topic("T", False) is says(version, False)
    assert names(found) == [FIND_CONSUMER_IDS]


@every_version
@pytest.mark.parametrize("result", [None, []])
def test_null_and_empty_results_release_all_queues(version, result):
    found = client(version, held=[A, B])
    found.allocate = lambda mq_all, cid_all: result
    assert found.rebalance_by_topic("T", False) is says(version, True)
    assert found.process_queue_table == {}
    assert done(found, QUEUE_CHANGED) == [(None, "T", T, ())]


@every_version
def test_unmodifiable_id_list_throws(version):
    found = client(version)
    found.consumer_ids = {"T": ("c0",)}
    with pytest.raises(RuntimeException, match="UnsupportedOperationException"):
        found.rebalance_by_topic("T", False)
    assert found.do_rebalance(False) is says(version, False)


@pytest.mark.parametrize(("version", "locks"), [(JavaV4_9, 4), (JavaV5_0, 4), (JavaV5_3_2, 0)])
def test_broadcasting_takes_all_queues_and_locks_depending_on_the_version(version, locks):
    found = client(version, broadcasting=True, orderly=True)
    found.allocate = None
    found.rebalance_by_topic("T", True)
    assert set(found.process_queue_table) == set(T)
    assert FIND_CONSUMER_IDS not in names(found)
    assert len(done(found, LOCK)) == locks


@every_version
def test_reassigned_dropped_entry_is_left_alone_and_unbalanced(version):
    found = client(version, held=[B, C])
    found.process_queue_table[A] = entry(dropped=True)
    found.allocate = lambda mq_all, cid_all: [A, B, C]
    assert found.rebalance_by_topic("T", False) is says(version, False)
    assert names(found) == [FIND_CONSUMER_IDS]


@every_version
def test_truncate_only_drops_entries_of_other_topics(version):
    found = client(version, held=[A, OTHER])
    gone = found.process_queue_table[OTHER]
    found.truncate_message_queue_not_my_topic()
    assert list(found.process_queue_table) == [A]
    assert gone.dropped
    assert found.environment.effects == [(OUT, OTHER), (DROP, OTHER)]


@every_version
def test_do_rebalance_truncates_without_a_subscription(version):
    found = client(version, held=[A, B])
    found.subscription_inner = ()
    assert found.do_rebalance(False) is says(version, True)
    assert found.process_queue_table == {}


def two_topics(version, answers):
    found = client(version, answers, held=[OTHER])
    found.subscription_inner = ("T", "U")
    found.topic_subscribe_info_table = {"T": T, "U": [OTHER]}
    found.consumer_ids = {"T": ["c0"], "U": ["c0"]}
    return found


@pytest.mark.parametrize(("version", "balanced"), [(JavaV4_9, None), (JavaV5_0, True), (JavaV5_3_2, False)])
def test_result_is_of_the_last_topic_or_of_all_topics(version, balanced):
    found = two_topics(version, {A: Answers(lock=DENIED)})
    assert found.do_rebalance(True) is balanced
    found = two_topics(version, {A: Answers(persist=THROW)})
    found.process_queue_table[A] = entry(last_pull_timestamp=0)
    assert found.do_rebalance(False) is balanced
    assert found.process_queue_table[A].dropped


@pytest.mark.parametrize("version", [JavaV5_0, JavaV5_3_2])
def test_exception_for_a_retry_topic_does_not_count(version):
    retry = MessageQueue("%RETRY%G", "broker-a", 0)
    found = client(version, {retry: Answers(stored=THROWS)}, held=T)
    found.subscription_inner = ("T", retry.topic)
    found.topic_subscribe_info_table = {"T": T, retry.topic: [retry]}
    found.consumer_ids = {"T": ["c0"], retry.topic: ["c0"]}
    assert found.do_rebalance(False) is True
    found.subscription_inner = ("T",)
    found.topic_subscribe_info_table = {"T": (*T, retry._replace(topic="T", queue_id=9))}
    found.environment.answers = {retry._replace(topic="T", queue_id=9): Answers(stored=THROWS)}
    assert found.do_rebalance(False) is False


@every_version
@pytest.mark.parametrize("consume_lock", [0, 1, 2])
def test_remove_process_queue_removes_the_entry_despite_the_lock(version, consume_lock):
    found = client(version, orderly=True)
    found.process_queue_table[A] = gone = entry(consume_lock=consume_lock)
    found.remove_process_queue(A)
    assert found.process_queue_table == {}
    assert gone.dropped
    assert names(found)[:3] == [OUT, DROP, PERSIST]
    assert (REMOVE_OFFSET in names(found)) == (version is not JavaV5_3_2 or consume_lock == 0)


@every_version
def test_remove_process_queue_of_a_missing_queue_does_nothing(version):
    found = client(version, held=[A])
    found.remove_process_queue(B)
    assert found.environment.effects == []


@every_version
def test_destroy_drops_and_clears_the_table(version):
    found = client(version, held=[A, B], orderly=True)
    held = list(found.process_queue_table.values())
    found.destroy()
    assert found.process_queue_table == {}
    assert all(each.dropped for each in held)
    assert found.environment.effects == [(DROP, A), (DROP, B), (OUT, A), (OUT, B)]


@every_version
def test_pull_expires_after_two_minutes(version):
    found = client(version)
    found.process_queue_table[A] = entry(last_pull_timestamp=NOW - 120_000)
    found.process_queue_table[B] = entry(last_pull_timestamp=NOW - 120_001)
    assert found.update_process_queue_table_in_rebalance("T", (A, B), False)
    assert done(found, OUT) == [(B,)]
    assert done(found, IN) == [(B,)]


@pytest.mark.parametrize(("age", "out"), [(20_000, []), (20_001, [(A,)])])
def test_old_lock_is_released_by_force_after_twenty_seconds(age, out):
    found = client(JavaV5_3_2, orderly=True)
    found.process_queue_table[A] = entry(last_lock_timestamp=NOW - age, consume_lock=1)
    found.update_process_queue_table_in_rebalance("T", (), True)
    assert done(found, OUT) == out


def test_removed_entry_is_unlocked_from_5_2_on():
    found = client(JavaV5_3_2, held=[A], orderly=True)
    gone = found.process_queue_table[A]
    found.update_process_queue_table_in_rebalance("T", (), True)
    assert not gone.locked


@every_version
def test_iteration_order_of_the_tables_can_be_set(version):
    asked = []
    found = client(version, held=[A, B])

    def backwards(table, queues):
        asked.append(table)
        return list(queues)[::-1]

    found.iterate = backwards
    found.update_process_queue_table_in_rebalance("T", dict.fromkeys(T[2:]), False)
    assert done(found, OUT) == ([(B,), (A,)] if version is JavaV4_9 else [(A,), (B,)])
    assert done(found, IN) == [(T[3],), (T[2],)]
    assert asked == ["table", "set"] if version is JavaV4_9 else ["table", "removed", "set"]


FIRST, SECOND = "\U0001f600", "\uff5e"
"""In the order of their UTF-16 units; code points and bytes have it the other way round."""


@every_version
def test_both_lists_are_sorted_by_utf16_units(version):
    found = client(version)
    seen = []
    found.topic_subscribe_info_table = {"T": [MessageQueue("T", name, 0) for name in (SECOND, FIRST)]}
    found.consumer_ids = {"T": [SECOND, FIRST]}
    found.allocate = lambda mq_all, cid_all: seen.append(([queue.broker_name for queue in mq_all], cid_all)) or ()
    found.rebalance_by_topic("T", False)
    assert seen == [([FIRST, SECOND], [FIRST, SECOND])]


@every_version
def test_queue_ids_are_sorted_by_their_difference(version):
    found = client(version)
    seen = []
    found.topic_subscribe_info_table = {"T": [MessageQueue("T", "b", number) for number in (-2, 2**31 - 1)]}
    found.allocate = lambda mq_all, cid_all: seen.extend(queue.queue_id for queue in mq_all)
    found.rebalance_by_topic("T", False)
    assert seen == [2**31 - 1, -2]


@pytest.mark.parametrize("made", [one.made for one in GENERATIONS], ids=[one.releases[-1] for one in GENERATIONS])
@pytest.mark.parametrize("order", [("T", "U"), ("U", "T")])
def test_exception_of_one_topic_does_not_stop_other_topics(made, order):
    found = two_topics(made, {A: Answers(persist=THROW)})
    found.process_queue_table.clear()
    found.subscription_inner = order
    found.process_queue_table[A] = entry(last_pull_timestamp=0)
    found.do_rebalance(False)
    assert found.process_queue_table[A].dropped
    assert OTHER in found.process_queue_table
