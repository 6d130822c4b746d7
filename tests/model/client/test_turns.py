"""Concurrent calls in one Node process, compared with ali-ons 3.12.0 where calls return at once."""

import pytest

from rebalance_proofs.model.client.environment import THROW, Answers
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.node_environment import NodeEnvironment, all_at_once
from rebalance_proofs.model.profiles import ClientError
from rebalance_proofs.model.queues import MessageQueue, one_broker

A, B, C = one_broker(3)
OTHER = MessageQueue("U", "broker-a", 0)
NOW = 1_000_000


def rebalanced_twice(mine, held=(), answers=None, topics=("T",)):
    """A client that rebalances twice at once, and gets these queues; and what it throws."""
    node = Node(NodeEnvironment(answers or {}, NOW))
    node.subscription_inner = topics
    node.topic_subscribe_info_table = {"T": (A, B, C), "U": (OTHER,)}
    node.consumer_ids = {"T": ("c0",), "U": ("c0",)}
    node.allocate = lambda mq_all, cid_all: [queue for queue in mq_all if queue in mine]
    for queue in held:
        node.process_queue_table[queue] = NodeProcessQueue(5, last_pull_timestamp=NOW)
        node.offset_store.offset_table[queue] = 55
    try:
        all_at_once(node.environment, node.do_rebalance, node.do_rebalance)
    except ClientError as error:
        return node, error.message
    return node, None


def told(node):
    """Effects without their details."""
    return [f"{name} {queue.topic}{queue.queue_id}" if queue else name for name, queue, *_ in node.environment.effects]


def test_first_of_two_concurrent_rebalances_adds_the_entry():
    node, thrown = rebalanced_twice([A, B])
    assert thrown is None
    assert told(node) == [
        "findCids",
        "findCids",
        "queryOffsetRPC T0",
        "queryOffsetRPC T0",
        "readOff T0",
        "readOff T0",
        "in T0",
        "pull T0",
        "queryOffsetRPC T1",
        "queryOffsetRPC T1",
        "readOff T1",
        "readOff T1",
        "in T1",
        "pull T1",
        "emit",
    ]


def test_concurrent_rebalances_share_the_removals():
    node, thrown = rebalanced_twice([], held=[A, B, C])
    assert thrown is None
    assert told(node) == [
        "findCids",
        "findCids",
        "drop T0",
        "out T0",
        "persist T0",
        "drop T1",
        "out T1",
        "persist T1",
        "updateOffsetRPC T0",
        "updateOffsetRPC T1",
        "rmOff T0",
        "rmOff T1",
        "drop T2",
        "out T2",
        "persist T2",
        "updateOffsetRPC T2",
        "emit",
        "rmOff T2",
        "emit",
    ]
    assert node.process_queue_table == {}


def test_failed_rebalance_does_not_stop_a_concurrent_one():
    node, thrown = rebalanced_twice([OTHER], held=[A, B], answers={A: Answers(persist=THROW)}, topics=("T", "U"))
    assert thrown == "scripted update"
    assert list(node.process_queue_table) == [OTHER]
    assert node.offset_store.offset_table == {A: 55, OTHER: 100}
    assert told(node).count("emit") == 2


def test_first_of_two_failures_is_raised():
    node, thrown = rebalanced_twice([], held=[A, B], answers=dict.fromkeys((A, B), Answers(persist=THROW)))
    assert thrown == "scripted update"
    assert node.process_queue_table == {}
    assert "emit" not in told(node)


def test_single_call_behaves_as_without_turns():
    node, _ = rebalanced_twice([])
    node.environment.effects.clear()
    all_at_once(node.environment, node.do_rebalance)
    assert told(node) == ["findCids"]
    assert node.environment.turn is None


def test_foreign_exception_is_raised():
    environment = NodeEnvironment({}, NOW)
    with pytest.raises(ZeroDivisionError):
        all_at_once(environment, lambda: 1 // 0, lambda: environment.awaited(int))
    assert environment.turn is None
