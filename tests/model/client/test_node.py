"""The Node client's transition: order of effects, races, and where an error ends it."""

import pytest

from rebalance_proofs.model.client.environment import FAILS, NO_BROKER, THROW, THROWS, Answers
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles import ClientError
from rebalance_proofs.model.queues import MessageQueue, one_broker

A, B, C = one_broker(3)
OTHER = MessageQueue("U", "broker-a", 0)
NOW = 1_000_000


@pytest.fixture
def client():
    """``client({queue: Answers}, held queues, settings)``; held queues have offset 55 in memory."""

    def make(answers=None, held=(), **settings):
        node = Node(NodeEnvironment(answers or {}, NOW), Settings(**settings))
        node.subscription_inner = ("T", "U")
        node.topic_subscribe_info_table = {"T": (A, B, C), "U": (OTHER,)}
        node.consumer_ids = {"T": ("c0",), "U": ("c0",)}
        for queue in held:
            node.process_queue_table[queue] = NodeProcessQueue(5, last_pull_timestamp=NOW)
            node.offset_store.offset_table[queue] = 55
        return node

    return make


def update(node, mq_set, topic="T"):
    return node.update_process_queue_table_in_rebalance(topic, mq_set)


def test_entry_leaves_the_table_before_its_offset_is_sent(client):
    node = client(held=[A, B])
    entry = node.process_queue_table[A]
    assert update(node, [B])
    assert node.environment.effects == [
        ("drop", A),
        ("out", A),
        ("persist", A),
        ("updateOffsetRPC", A, 55),
        ("rmOff", A),
    ]
    assert entry.dropped
    assert list(node.process_queue_table) == [B]
    assert node.offset_store.offset_table == {B: 55}


def test_new_entry_queries_its_offset(client):
    node = client()
    assert update(node, [A])
    assert node.environment.effects == [
        ("queryOffsetRPC", A, 100),
        ("readOff", A, 100),
        ("in", A),
        ("pull", A, 100),
    ]
    entry = node.process_queue_table[A]
    assert (entry.next_offset, entry.dropped, entry.locked) == (100, False, False)
    assert (entry.last_pull_timestamp, entry.last_lock_timestamp) == (NOW, NOW)
    assert not entry.has_temp_message()
    assert node.offset_store.offset_table == {A: 100}


def test_entries_are_removed_before_any_is_added(client):
    node = client(held=[C, A])
    assert update(node, [B])
    assert [effect[:2] for effect in node.environment.effects if effect[0] in ("out", "rmOff", "in")] == [
        ("out", C),
        ("rmOff", C),
        ("out", A),
        ("rmOff", A),
        ("in", B),
    ]


def test_assigned_entry_is_left_alone_even_if_dropped(client):
    node = client(held=[A])
    node.process_queue_table[A].dropped = True
    assert not update(node, [A])
    assert node.environment.effects == []


def test_entries_of_other_topics_are_left_alone_even_if_expired(client):
    node = client(held=[OTHER])
    node.process_queue_table[OTHER].last_pull_timestamp = 0
    assert not update(node, [])
    assert node.environment.effects == []


@pytest.mark.parametrize(("idle", "replaced"), [(PULL_MAX_IDLE_TIME, False), (PULL_MAX_IDLE_TIME + 1, True)])
def test_expired_entry_is_replaced_in_one_call(idle, replaced, client):
    node = client(held=[A])
    former = node.process_queue_table[A]
    former.last_pull_timestamp = NOW - idle
    assert update(node, [A]) is replaced
    assert (node.process_queue_table[A] is not former) is replaced
    assert former.dropped is replaced


def test_failed_persist_ends_the_update_with_the_entry_removed(client):
    node = client({A: Answers(persist=THROW)}, held=[A, B])
    former = node.process_queue_table[A]
    with pytest.raises(ClientError, match="scripted update"):
        update(node, [C])
    assert node.environment.effects == [
        ("drop", A),
        ("out", A),
        ("persist", A),
        ("updateOffsetRPC", A, 55, "exc"),
    ]
    assert former.dropped
    assert list(node.process_queue_table) == [B]
    assert not node.process_queue_table[B].dropped
    assert node.offset_store.offset_table == {A: 55, B: 55}


def test_failed_persist_skips_later_topics_until_the_next_rebalance(client):
    node = client({A: Answers(persist=THROW)}, held=[A, B])
    node.allocate = lambda mq_all, cid_all: [queue for queue in mq_all if queue.topic == "U"]
    with pytest.raises(ClientError, match="scripted update"):
        node.do_rebalance()
    assert list(node.process_queue_table) == [B]
    node.do_rebalance()
    assert list(node.process_queue_table) == [OTHER]


def test_stale_offset_in_memory_survives_a_failed_query(client):
    node = client({A: Answers(stored="timeout", queried=77)})
    node.offset_store.offset_table[A] = 55
    update(node, [A])
    assert node.process_queue_table[A].next_offset == 77
    update(node, [])
    assert ("updateOffsetRPC", A, 55) in node.environment.effects


def test_not_found_offset_is_stored_and_sent(client):
    node = client({A: Answers(stored=-1, queried=77)})
    update(node, [A])
    update(node, [])
    assert ("updateOffsetRPC", A, -1) in node.environment.effects


class Racer:
    """Inserts the entry of every queue that is queried."""

    def __init__(self, node):
        self.node = node
        self.entry = NodeProcessQueue(1)

    def __call__(self, queue):
        self.node.process_queue_table[queue] = self.entry


@pytest.mark.parametrize(
    "answers", [Answers(), Answers(stored="timeout", queried=77), Answers(stored=-1, queried=FAILS)]
)
def test_entry_added_during_the_query_is_kept(answers, client):
    node = client({A: answers})
    node.environment.meanwhile = racer = Racer(node)
    assert not update(node, [A])
    assert node.process_queue_table == {A: racer.entry}
    assert "in" not in [effect[0] for effect in node.environment.effects]


@pytest.mark.parametrize("stored", ["notfound", "brokerexc", "timeout"])
def test_every_failed_query_counts_as_not_found(stored, client):
    node = client({A: Answers(stored=stored, queried=77)})
    assert update(node, [A])
    assert node.environment.effects == [
        ("queryOffsetRPC", A, stored),
        ("error", None),
        ("readOff", A, -1),
        ("maxOffset", A, 77),
        ("in", A),
        ("pull", A, 77),
    ]
    assert node.offset_store.offset_table == {}


@pytest.mark.parametrize(
    ("where", "topic", "stored", "offset", "asked"),
    [
        (ConsumeFromWhere.LAST_OFFSET, "T", -1, 77, "maxOffset"),
        (ConsumeFromWhere.LAST_OFFSET, "%RETRY%G", -1, 0, None),
        (ConsumeFromWhere.LAST_OFFSET, "T", -2, -1, None),
        (ConsumeFromWhere.MIN_OFFSET, "T", -1, 77, "maxOffset"),
        (ConsumeFromWhere.FIRST_OFFSET, "T", -2, 0, None),
        (ConsumeFromWhere.TIMESTAMP, "T", -1, 77, "searchOffset"),
        (ConsumeFromWhere.TIMESTAMP, "%RETRY%G", -1, 77, "maxOffset"),
        (ConsumeFromWhere.TIMESTAMP, "T", 0, 0, None),
    ],
)
def test_start_offset_depends_on_the_setting(where, topic, stored, offset, asked, client):
    queue = MessageQueue(topic, "broker-a", 0)
    node = client({queue: Answers(stored=stored, queried=77)}, consume_from_where=where)
    assert node.compute_pull_from_where(queue) == offset
    names = [effect[0] for effect in node.environment.effects]
    assert names == ["queryOffsetRPC", "readOff", *([asked] if asked else [])]


@pytest.mark.parametrize("where", [ConsumeFromWhere.LAST_OFFSET, ConsumeFromWhere.TIMESTAMP])
def test_failed_second_query_is_reported_and_adds_nothing(where, client):
    node = client({A: Answers(stored=-1, queried=FAILS)}, consume_from_where=where)
    assert not update(node, [A])
    assert node.environment.effects[-1] == ("error", None)
    assert node.process_queue_table == {}


def test_broadcasting_queries_no_broker_for_offsets(client):
    node = client({A: Answers(queried=77)}, held=[B], broadcasting=True)
    node.topic_subscribe_info_table = {"T": (A,)}
    node.subscription_inner = ("T",)
    node.do_rebalance()
    assert node.environment.effects == [
        ("drop", B),
        ("out", B),
        ("persist", B),
        ("rmOff", B),
        ("readOff", A, -1),
        ("maxOffset", A, 77),
        ("in", A),
        ("pull", A, 77),
        ("emit", None, "topic_T_queue_changed"),
    ]


def test_broadcasting_reads_offsets_from_memory(client):
    node = client(broadcasting=True)
    node.offset_store.offset_table[A] = 55
    update(node, [A])
    assert node.process_queue_table[A].next_offset == 55


def test_remove_process_queue_does_not_mark_the_entry(client):
    node = client(held=[A])
    entry = node.process_queue_table[A]
    node.remove_process_queue(A)
    assert node.process_queue_table == {}
    assert not entry.dropped
    node.environment.effects.clear()
    node.remove_process_queue(A)
    assert node.environment.effects == []


# -- a whole rebalance


@pytest.mark.parametrize("route", [{}, {"T": ()}])
@pytest.mark.parametrize("broadcasting", [False, True])
def test_missing_queues_have_no_effect(route, broadcasting, client):
    node = client(held=[A], broadcasting=broadcasting)
    node.topic_subscribe_info_table = route
    node.do_rebalance()
    assert node.environment.effects == []


@pytest.mark.parametrize("ids", [{"T": ()}, {}], ids=["an empty list", "an answer without a body"])
def test_missing_ids_leave_the_table_unchanged(ids, client):
    node = client(held=[A, OTHER])
    node.consumer_ids = {**ids, "U": ("c0",)}
    node.do_rebalance()
    assert node.environment.effects == [("findCids", None, "T"), ("findCids", None, "U")]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ({"T": THROWS, "U": ("c0",)}, "scripted cids"),
        ({"T": NO_BROKER, "U": ("c0",)}, r"The broker of topic\[T\] not exist"),
    ],
)
def test_failed_id_query_skips_later_topics(ids, message, client):
    node = client(held=[A])
    node.consumer_ids = ids
    with pytest.raises(ClientError, match=message):
        node.do_rebalance()
    assert node.environment.effects == [("findCids", None, "T")]
    assert list(node.process_queue_table) == [A]


def test_allocate_exception_leaves_the_method(client):
    node = client(held=[A])

    def allocate(mq_all, cid_all):
        raise ZeroDivisionError

    node.allocate = allocate
    with pytest.raises(ZeroDivisionError):
        node.do_rebalance()
    assert node.environment.effects == [("findCids", None, "T")]
    assert list(node.process_queue_table) == [A]


@pytest.mark.parametrize(
    ("held", "message"),
    [([A], r"Cannot read properties of null \(reading 'some'\)"), ([OTHER], "mqSet is not iterable")],
)
def test_null_result_of_allocate_is_a_type_error(held, message, client):
    node = client(held=held)
    node.allocate = lambda mq_all, cid_all: None
    with pytest.raises(ClientError, match=message) as thrown:
        node.rebalance_by_topic("T")
    assert thrown.value.exception == "TypeError"
    assert list(node.process_queue_table) == held


def test_node_sorts_both_lists_before_allocating(client):
    node = client()
    node.topic_subscribe_info_table = {"T": (C, A, B)}
    node.consumer_ids = {"T": ("\uffff", "\U00010000")}
    seen = []
    node.allocate = lambda mq_all, cid_all: seen.append((mq_all, cid_all)) or []
    node.rebalance_by_topic("T")
    assert seen == [([A, B, C], ["\U00010000", "\uffff"])]


def test_table_change_emits_an_event(client):
    node = client()
    node.do_rebalance()
    told = [effect for effect in node.environment.effects if effect[0] == "emit"]
    assert told == [("emit", None, "topic_T_queue_changed"), ("emit", None, "topic_U_queue_changed")]
    node.environment.effects.clear()
    node.do_rebalance()
    assert node.environment.effects == [("findCids", None, "T"), ("findCids", None, "U")]


def test_queue_of_an_unsubscribed_topic_stays(client):
    node = client(held=[OTHER])
    node.subscription_inner = ("T",)
    node.do_rebalance()
    assert OTHER in node.process_queue_table


# -- what the client does every 5 s


def test_offset_zero_is_sent_as_minus_one(client):
    node = client(held=[A, B, C])
    node.offset_store.offset_table = {A: 0, B: 7}
    node.persist_consumer_offset()
    assert node.environment.effects == [
        ("updateOffsetRPC", A, -1),
        ("updateOffsetRPC", B, 7),
        ("updateOffsetRPC", C, -1),
    ]
    assert node.offset_store.offset_table == {A: -1, B: 7, C: -1}


def test_offsets_of_missing_queues_are_removed_unless_no_queue_is_left(client):
    node = client(held=[A])
    node.offset_store.offset_table[B] = 55
    node.process_queue_table.clear()
    node.persist_consumer_offset()
    assert node.offset_store.offset_table == {A: 55, B: 55}
    node.process_queue_table[A] = NodeProcessQueue(5)
    node.persist_consumer_offset()
    assert node.offset_store.offset_table == {A: 55}


def test_failures_are_reported_after_all_offsets_are_sent(client):
    node = client({A: Answers(persist=THROW), B: Answers(persist=THROW)}, held=[A, B, C])
    node.persist_consumer_offset()
    assert node.environment.effects == [
        ("updateOffsetRPC", A, 55, "exc"),
        ("updateOffsetRPC", B, 55, "exc"),
        ("updateOffsetRPC", C, 55),
        ("error", None),
        ("error", None),
    ]


def test_next_removal_of_a_queue_at_zero_sends_minus_one_too(client):
    node = client(held=[A])
    node.offset_store.offset_table[A] = 0
    node.persist_consumer_offset()
    node.environment.effects.clear()
    update(node, [])
    assert ("updateOffsetRPC", A, -1) in node.environment.effects


def test_broadcasting_persists_nothing(client):
    node = client(held=[A], broadcasting=True)
    node.persist_consumer_offset()
    assert node.environment.effects == []
    assert node.offset_store.offset_table == {A: 55}
