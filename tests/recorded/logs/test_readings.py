"""Every wording is parsed, with its values, anywhere in a line."""

from pathlib import Path

import pytest

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.lines import HOLE
from rebalance_proofs.recorded.logs.reading import queues_in
from rebalance_proofs.recorded.logs.readings import ORDERS, READINGS
from rebalance_proofs.recorded.logs.search import read, telling

MQ = "MessageQueue [topic=%RETRY%T-1, brokerName=broker-a, queueId=12]"
QUEUE = ("%RETRY%T-1", "broker-a", 12)
VALUES = {
    "group": "%G-1",
    "client": "10.0.0.1@4711#5",
    "queue": MQ,
    "topic": "%RETRY%T-1",
    "offset": "77",
    "next": "78",
    "mq_all": "4",
    "cid_all": "2",
    "size": "1",
    "set": f"[{MQ}]",
    "ok": "Failed",
    "key": "T@G",
    "sum": "9",
    "number": "3",
    "asked": "5",
    "stored": "9",
    "host": "10.0.0.1:5",
    "config": "ClientConfig [persistConsumerOffsetInterval=7000, x=1]",
    "channel": "ClientChannelInfo [channel=[id: 0x1], clientId=10.0.0.1@4711#5, language=JAVA, version=1]",
    "route": "TopicRouteData [queueDatas=[QueueData [brokerName=broker-a, readQueueNums=2, writeQueueNums=2]]]",
    "more": "said",
    "": "something",
}
CASES = [
    (reading, wording)
    for reading in READINGS
    for wording in reading.line.wordings
    if ORDERS.get(wording.text, ()) is not None and HOLE in wording.text and reading.line is not lines.CPP_SHARE_CHANGED
]


@pytest.mark.parametrize(
    ("reading", "wording"), CASES, ids=lambda one: getattr(one, "text", one.__class__.__name__)[:40]
)
def test_every_wording_gives_its_values(reading, wording):
    names = ORDERS.get(wording.text, reading.fields)[: wording.text.count(HOLE)]
    logged = wording.text
    for name in names:
        logged = logged.replace(HOLE, VALUES[name], 1)
    for head in ("", "2024-05-01 10:00:00,123 INFO RocketmqClient - ", '{"msg":"'):
        fact, cut = read(f"{head}{logged}".encode())
        assert fact is not None, logged
        assert not cut
        if "group" in names:
            assert fact.group == VALUES["group"]
        if "client" in names:
            assert fact.client == VALUES["client"]
        if "queue" in names:
            assert fact.queue == QUEUE


def test_each_wording_passes_the_prefilter():
    """As it is logged, and with another line's words around it."""
    for reading in READINGS:
        for wording in reading.line.wordings:
            if ORDERS.get(wording.text, ()) is not None:
                assert telling(f"2024 x - {wording.text}".encode()), wording.text


def test_real_log_excerpts_are_read():
    """The excerpts used to test `why`, as far as the audit reads their lines."""
    rows = (Path(__file__).parents[2] / "report" / "symptoms" / "logged.tsv").read_text("utf-8").splitlines()
    kinds = {}
    for _, _, name, logged in (row.split("\t") for row in rows):
        fact, _ = read(logged.encode())
        if fact:
            kinds.setdefault(name, fact.kind)
    assert kinds["removed"] is Kind.REMOVED
    assert kinds["added"] is Kind.ADDED
    assert kinds["lock-denied"] is Kind.DENIED
    assert kinds["went-back"] is Kind.WENT_BACK
    assert len(kinds) > 12


@pytest.mark.parametrize(
    ("text", "kind", "more"),
    [
        (
            f"[BUG]doRebalance, G, remove unnecessary mq, {MQ}, because pull is pause, so try to fixed it",
            "removed",
            "not pulled",
        ),
        (
            f"[BUG]doRebalance, G, try remove unnecessary mq, {MQ}, because pull is pause, so try to fixed it",
            "not pulled",
            "not pulled",
        ),
        (f"Fix Offset, G, remove unnecessary mq, {MQ} Droped: true", "illegal", ""),
        (f"doRebalance, G, truncateMessageQueueNotMyTopic remove unnecessary mq, {MQ}", "removed", ""),
        (f"the message queue lock OK, G {MQ}", "locked", ""),
        (f"the message queue not be able to consume, because it's dropped. {MQ}", "ended", ""),
        (f"run, the message queue not be able to consume, because it's dropped. {MQ}", "ended", "not begun"),
        (f"the message queue not be able to consume, because it's dropped. group=G {MQ}", "ended", "not begun"),
    ],
)
def test_similar_lines_are_distinguished(text, kind, more):
    fact, _ = read(text.encode())
    assert fact is not None
    assert (str(fact.kind), fact.more) == (kind, more)


@pytest.mark.parametrize(
    "text",
    [
        f"the message queue lock expired, so consume later, {MQ}",
        f"remove unnecessary messageQueue offset. group=G, mq={MQ}, offsetTableSize=0",
        "the consumer [G] start OK.",
        "the producer [P] shutdown OK",
        "no group at all",
    ],
)
def test_lines_with_other_meanings_are_no_facts(text):
    assert read(text.encode()) == (None, False)


def test_truncated_result_is_ignored():
    whole = (
        "rebalanced result changed. allocateMessageQueueStrategyName=AVG, group=G, topic=T, clientId=c, mqAllSize=4, "
        f"cidAllSize=2, rebalanceResultSize=2, rebalanceResultSet=[{MQ}, "
    )
    assert read(whole.encode()) == (None, True)


def test_go_keys_are_read_in_any_order():
    queues = "[MessageQueue [topic=T, brokerName=b, queueId=0] MessageQueue [topic=T, brokerName=b, queueId=1]]"
    text = (
        f'time="2021-03-24T10:02:01+08:00" level=info msg="MessageQueue do balance done" cidAllSize=2 clientID="c@1" '
        f'consumerGroup=G mqAllSize=4 rebalanceResultSet="{queues}" rebalanceResultSize=2 topic=T'
    )
    json = (
        '{"msg":"MessageQueue do balance done","consumerGroup":"G","topic":"T","clientID":"c@1","mqAllSize":4,'
        '"cidAllSize":2,"rebalanceResultSize":2,"rebalanceResultSet":[{"brokerName":"b","queueId":0,"topic":"T"},'
        '{"brokerName":"b","queueId":1,"topic":"T"}]}'
    )
    for one in (text, json):
        fact, _ = read(one.encode())
        assert fact is not None
        assert (fact.kind, fact.group, fact.client, fact.topic) == (Kind.RESULT, "G", "c@1", "T")
        assert fact.numbers == (4, 2, 2)
        assert fact.queues == (("T", "b", 0), ("T", "b", 1))


def test_queues_of_cpp_and_java_are_equal():
    assert queues_in("MessageQueue [topic=T, brokerName=b, queueId=1], MQ [topic=T, brokerName=b, queueId=2]") == (
        ("T", "b", 1),
        ("T", "b", 2),
    )
