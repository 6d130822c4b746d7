"""Queues as text."""

import pytest

from rebalance_proofs.model.queues import MessageQueue, to_string


@pytest.mark.parametrize(
    ("queue", "text"),
    [
        (MessageQueue("T", "broker-a", 0), "MessageQueue [topic=T, brokerName=broker-a, queueId=0]"),
        (MessageQueue("%RETRY%G", "", 2147483647), "MessageQueue [topic=%RETRY%G, brokerName=, queueId=2147483647]"),
        (MessageQueue("T", None, -1), "MessageQueue [topic=T, brokerName=null, queueId=-1]"),
        (None, "null"),
    ],
)
def test_queues_are_printed_like_java(queue, text):
    assert to_string(queue) == text
