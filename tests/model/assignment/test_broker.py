"""The broker's assignment: modes, null and empty answers, and what a member then reads."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.assignment.broker import (
    ALL_QUEUES,
    BROADCASTING,
    POP,
    PULL,
    Configured,
    NotAllowed,
    QueryAssignmentProcessor,
    RequestMode,
    allocate_4_pop,
    popping,
    read_queues,
)
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker

QUEUES = one_broker(4)
RETRY = "%RETRY%G"


POPPING = Configured(default_message_request_mode=POP, default_pop_share_queue_num=1)


def processor(c=4, config=POPPING, **fields):
    topics = {"T": frozenset(QUEUES), RETRY: frozenset(one_broker(1, RETRY)), "empty": frozenset()}
    return QueryAssignmentProcessor(topics, {"G": client_ids(c)[::-1]}, config, **fields)


@pytest.mark.parametrize("k", [-1, 0, 2, 3, 100])
def test_all_queues_are_one_entry_for_each_broker(k):
    queues = (*one_broker(2), *one_broker(3, broker_name="broker-b"))
    found = allocate_4_pop(AVERAGELY.allocate, "c0", queues, client_ids(3), k)
    assert set(found) == {MessageQueue("T", name, ALL_QUEUES) for name in ("broker-a", "broker-b")}
    assert read_queues(found, queues) == list(queues)
    assert read_queues(found[:1], queues) == list(queues[:2])


@pytest.mark.parametrize(("cid", "reads"), [("c0", [0, 1]), ("c2", [2, 3]), ("c3", [0, 3])])
def test_member_shares_the_queues_of_the_members_after_it(cid, reads):
    found = popping(AVERAGELY.allocate, 1)(cid, QUEUES, client_ids(4))
    assert [queue.queue_id for queue in found] == reads


@pytest.mark.parametrize("k", [1, 2, 3])
def test_with_fewer_queues_than_members_k_is_ignored(k):
    found = [popping(AVERAGELY.allocate, k)(cid, QUEUES, client_ids(6)) for cid in client_ids(6)]
    assert [[queue.queue_id for queue in queues] for queues in found] == [[0], [1], [2], [3], [0], [1]]


@pytest.mark.parametrize("cid", ["", "  "])
def test_blank_id_is_refused_with_few_queues(cid):
    with pytest.raises(AllocationError, match="currentCID is empty"):
        allocate_4_pop(AVERAGELY.allocate, cid, QUEUES, client_ids(6), 1)


@pytest.mark.parametrize(("topic", "c", "null"), [("empty", 4, True), ("empty", 2, False), ("unknown", 4, True)])
def test_answer_is_null_or_empty_without_queues(topic, c, null):
    assigned, _ = processor(c).query_assignment(topic, "G", "c0")
    assert assigned == (None if null else frozenset())


@pytest.mark.parametrize(("group", "strategy"), [("H", "AVG"), ("G", "CONSISTENT_HASH")])
def test_answer_is_null_for_an_unknown_group_or_strategy(group, strategy):
    assert processor().query_assignment("T", group, "c0", strategy_name=strategy) == (None, POP)


def test_retry_topic_is_pulled_and_its_mode_cannot_be_set():
    asked = processor()
    with pytest.raises(NotAllowed, match="retry topic"):
        asked.set_message_request_mode(RETRY, "G", RequestMode(POP, -1))
    assert [asked.query_assignment(RETRY, "G", cid) for cid in ("c0", "c1")] == [
        (frozenset(one_broker(1, RETRY)), PULL),
        (frozenset(), PULL),
    ]


def test_requested_mode_replaces_the_default():
    asked = processor()
    asked.set_message_request_mode("T", "G", RequestMode(PULL))
    assert asked.query_assignment("T", "G", "c3") == (frozenset(QUEUES[3:]), PULL)
    asked.set_message_request_mode("T", "G", RequestMode(POP, 3))
    assert asked.query_assignment("T", "G", "c3") == (frozenset({QUEUES[0]._replace(queue_id=ALL_QUEUES)}), POP)


@pytest.mark.parametrize(("topic", "group", "said"), [("U", "G", "topic"), ("T", "H", "subscription group")])
def test_mode_of_an_unknown_topic_or_group_is_refused_from_5_3_3_on(topic, group, said):
    with pytest.raises(NotAllowed, match=f"{said}.* not exist"):
        processor().set_message_request_mode(topic, group, RequestMode())
    before = processor(checks_existence=False)
    before.set_message_request_mode(topic, group, RequestMode())
    assert before.modes == {(topic, group): RequestMode()}


def test_light_message_queue_needs_no_route_from_5_3_1_on():
    assert processor(2).query_assignment("%LMQ%T", "G", "c0")[0] == {MessageQueue("%LMQ%T", "broker-a", ALL_QUEUES)}
    assert processor(2, knows_lmq=False).query_assignment("%LMQ%T", "G", "c0")[0] is None


@pytest.mark.parametrize("model", ["off", BROADCASTING])
def test_every_member_gets_every_queue_without_balancing_or_with_broadcasting(model):
    off = Configured(server_load_balancer_enable=model != "off", default_message_request_mode=POP)
    given = {"model": model} if model == BROADCASTING else {}
    assert processor(config=off).query_assignment("T", "G", "z", **given) == (frozenset(QUEUES), POP)
