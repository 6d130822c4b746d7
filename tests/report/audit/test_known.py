"""Known lines that name no group: listed with meaning, times and names, and never as a pass."""

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.language import use
from rebalance_proofs.recorded.logs.joined import tallied
from rebalance_proofs.recorded.logs.reader import Reader
from rebalance_proofs.report.audit.answer import Answer, question_of
from rebalance_proofs.report.audit.document import document
from rebalance_proofs.report.audit.page import page
from rebalance_proofs.report.audit.told import told
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.symptoms.asked import Asked
from tests.recorded.audit.audited import audited

CPP = "[2020-Jun-30 15:41:22.{ms:06}](info):"
MQ = "MessageQueue [topic=T, brokerName=b, queueId=3]"
CASES = {
    "java without a group": (
        "24-05-01 10:00:00 ERROR PullMessageService - pullKernelImpl exception\n"
        "24-05-01 10:02:30 ERROR PullMessageService - pullKernelImpl exception\n",
        ("pull not sent: 2 lines, 2024-05-01 10:00:00.000 .. 10:02:30.000, 2 min 30 s", "stack trace"),
    ),
    "go in json": (
        '{"level":"warn","ts":1616491936.3290915,"msg":"no broker found for mq","PullRequest":"' + MQ + '"}\n',
        ("broker address unknown: 1 line, 2021-03-23 09:32:16.329", "queue T b 3"),
    ),
    "go between tabs": (
        "2023-07-31T13:13:52.195Z\tWARN\tmq/producer.go:100\tfetch offset of mq from broker success\t"
        '{"consumerGroup": "G", "MessageQueue": "' + MQ + '", "offset": 529}\n',
        ("name a group, but show neither", "2023-07-31 13:13:52.195", "queue T b 3 and group G"),
    ),
    "cpp leaves": (
        CPP.format(ms=1)
        + f"oneway updateConsumeOffsetToBroker of mq:{MQ}, its offset is:7[update:310]\n"
        + CPP.format(ms=2)
        + "unregisterClient to:10.0.0.1:10911 success[unregisterClient:293]\n",
        ("commit: 1 line", "unregister request sent: 1 line", "told a broker that it leaves"),
    ),
    "pull without an answer": (
        CPP.format(ms=1) + f"pullMessageAsync set opaque:42, mq:{MQ}\n"
        "then[2020-Jun-30 15:41:52.000001](error):no response got for opaque:42\n",
        ("T b 3  2020-06-30 15:41:52.000", "pull-request-lost", "Causes that fit, C++"),
    ),
    "cpp pull expired": (
        CPP.format(ms=1)
        + f"PullRequest for [{MQ}] has been expired 9111 ms,m_lastPullTimestamp = 1585356033013 ms[x:1]\n",
        ("cause: pull-request-lost",),
    ),
    "message deleted before it was read": (
        "2024-05-01 10:00:00 WARN PullMessageThread_38 - Offset not matched. Request offset: 5, firstOffset: 100, "
        "lastOffset: 900, mappedFileSize: 100, mappedFiles count: 8\n",
        ("offset outside the commit log", "deleted before it was read", "offset-illegal"),
    ),
    "pop": (
        "2024-05-01 10:00:00 INFO PopReviveService_0 - reviveQueueId=0,find ack, offset:142765\n",
        ("Not modelled, 1 line: everything after a pop request",),
    ),
}


def answer(folder, text):
    result = audited(folder, {"a.log": text})
    return Answer(result, [], question_of(result.groups, Asked(), result.files), {}, "")


@pytest.mark.parametrize("name", CASES)
def test_known_line_without_a_group_is_listed_and_does_not_pass(name, tmp_path):
    text, words = CASES[name]
    made = answer(tmp_path, text)
    said = "\n".join(told(made, 1000))
    assert [one for one in words if one not in said] == []
    assert "Passed" not in said
    assert "nothing in these files" not in said
    assert made.status == 3
    told_of = document(made)
    Draft202012Validator(published("audit")).validate(told_of)
    lines = [one["title"] for one in told_of["known_lines"]]
    assert [one for one in lines if f"  {one}: " not in said] == []
    assert (lines != []) == ("Known lines" in said)
    assert [one["subject"] for one in told_of["not_modelled"]] == (["pop"] if name == "pop" else [])


def test_chinese_answer_about_a_known_line_is_chinese(tmp_path):
    use("zh")
    try:
        said = "\n".join(told(answer(tmp_path, CASES["java without a group"][0]), 1000))
    finally:
        use("en")
    assert "没有写明消费者组的已知日志" in said
    assert "Known lines" not in said


def test_answer_to_another_request_does_not_name_the_queue(tmp_path):
    """Seeded fault: the number of the request is another one, so the queue is not that of the pull."""
    said = "\n".join(
        told(answer(tmp_path, CASES["pull without an answer"][0].replace("for opaque:42", "for opaque:43")), 1000)
    )
    assert "T b 3  2020-06-30" not in said
    assert "pull-request-lost" in said


def test_occurrences_in_parts_of_a_file_are_joined():
    parts = []
    for second in (1, 5):
        reader = Reader()
        reader.feed(b"2024-05-01 10:00:%02d ERROR PullMessageService - pullKernelImpl exception\n" % second * 2)
        reader.end()
        parts.append(reader.tally)
    (sight,) = tallied(parts).sights.values()
    assert (sight.many, sight.line, sight.last_line, sight.last - sight.first) == (4, 1, 4, 4000)


HEAD = "2024-05-01 10:00:0{second} INFO x - [persistAll] Group: G ClientId: 10.0.0.1@1 updateConsumeOffsetToBroker "


def commits(offsets, seconds=(0,)):
    return "".join(
        HEAD.format(second=second) + f"MessageQueue [topic=T, brokerName=b, queueId={queue}] {offset + second}\n"
        for second in seconds
        for queue, offset in enumerate(offsets)
    )


def test_single_commit_far_below_its_siblings_is_a_hint(tmp_path):
    made = answer(tmp_path, commits((321_532, 321_530, 318_523)))
    (found,) = made.audited.groups[0].findings
    assert (str(found.level), found.intervals[0].queue) == ("POSSIBLE", ("T", "b", 2))
    assert "3,008 below" in found.detail
    assert "too few" in list(told(made, 1000))[-1]


@pytest.mark.parametrize("offsets", [(321_532, 321_530, 321_500), (18_117_134, 18_218_244, 18_217_609), (5_000, 1)])
def test_commits_of_unlike_or_few_queues_are_no_hint(offsets, tmp_path):
    """Seeded fault: the queues' offsets differ anyway, or there is one sibling only."""
    made = answer(tmp_path, commits(offsets))
    assert made.audited.groups[0].findings == []
    said = "\n".join(told(made, 1000))
    assert "each queue has one commit" in said
    assert "Passed" not in said


def test_queue_that_moves_is_no_hint(tmp_path):
    made = answer(tmp_path, commits((321_532, 321_530, 318_523), (0, 5)))
    assert made.audited.groups[0].findings == []


@pytest.mark.parametrize(("group", "remarks"), [("CID_RMQ_SYS_x", 1), ("TOOLS_CONSUMER", 1), ("CID_ORDERS", 0)])
def test_group_of_rocketmq_itself_is_named_as_such(group, remarks, tmp_path):
    """Seeded fault: a broker's own group looks like one of an application."""
    text = f"2024-05-01 10:00:00 WARN RocketmqClient - doRebalance, {group} T, get consumer id list failed\n"
    made = answer(tmp_path, text)
    assert "\n".join(told(made, 200)).count("RocketMQ itself uses this group") == remarks
    assert page(made).count('<p class="unread">RocketMQ itself uses this group') == remarks
    assert [one["system"] for one in document(made)["groups"]] == [bool(remarks)]
