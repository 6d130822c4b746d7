"""Pasted exceptions, response codes, stack traces and log lines: the most specific statement comes first."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.knowledge.pasted_texts import pasted
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.paste import CODED, GENERIC, LOGGED, SPECIFIC, causes, statements
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.stated import by_statements
from tests.each import each

EXCEPTIONS = {one["name"]: one for one in pasted("exceptions")["exception"]}
CODES = {one["number"]: one for one in pasted("codes")["code"]}
VALUES = {
    "group": "pay_cg", "topic": "pay", "address": "10.0.0.9:10911", "ms": "3000", "queue": "MessageQueue [topic=T]",
}  # fmt: skip


def filled(text: str, values: dict[str, str] = VALUES) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], "7"), text)


def fitting(entry: dict) -> dict[str, str]:
    """Values that compare as the entry requires."""
    if "when" not in entry:
        return VALUES
    first, relation, second = entry["when"]
    if second.isdigit():
        return VALUES | {first: "7"}
    return VALUES | ({first: "6", second: "8"} if relation == "<" else {first: "8", second: "6"})


@each("name", EXCEPTIONS)
def test_text_of_an_exception_is_found_with_its_values(name):
    entry = EXCEPTIONS[name]
    values = fitting(entry)
    for text in entry["texts"]:
        line = (
            "2024-05-01 10:00:00 WARN c.a.B - org.apache.rocketmq.client.exception.MQClientException: "
            f"{filled(text, values)} {' '.join(entry.get('beside', ()))}"
        )
        told = {one.name: one for one in statements(line)}
        found = told[f"exception-{name}"]
        assert found.rank == (GENERIC if entry.get("generic") else LOGGED if entry.get("logged") else SPECIFIC)
        for value in set(re.findall(r"\{(\w+)\}", text)) & set(re.findall(r"\{(\w+)\}", entry["means"]["en"])):
            assert values.get(value, "7") in found.means


def test_causes_of_exceptions_and_codes_are_known():
    names = {cause.name for cause in CAUSES}
    for one in (*EXCEPTIONS.values(), *CODES.values(), *pasted("exceptions")["pair"]):
        assert set(one.get("causes", ())) <= names, one["name"]
    assert set(pasted("exceptions")["generic"]) <= set(LINES)
    assert len(EXCEPTIONS) == len(pasted("exceptions")["exception"])
    assert len(CODES) == len(pasted("codes")["code"])


@each("number", CODES)
@each(
    "form",
    [
        "MQBrokerException: CODE: {}  DESC: no remark",
        "RemotingCommand [code={}, language=JAVA, version=401, opaque=12, flag(B)=1, remark=null, extFields=null]",
        "level=error msg=pull failed, response code: {}",
        "code {}",
        "响应码：{}",
    ],
)
def test_response_code_is_found_by_its_number(number, form):
    (found,) = (one for one in statements(form.format(number)) if one.name.startswith("code-"))
    assert found.name == f"code-{number}"
    assert CODES[number]["name"] in found.means
    assert found.rank == (GENERIC if number in (0, 1) else CODED)


def test_code_of_a_request_is_no_response_code():
    assert not statements("RemotingCommand [code=11, language=JAVA, version=401, opaque=12, flag(B)=0, remark=null]")


@pytest.mark.parametrize("text", ["code 4711", "CODE: 4711  DESC: x", "he has 24 codes", "exit code", "error 24"])
def test_other_numbers_are_no_response_code(text):
    assert not [one for one in statements(text) if one.name.startswith("code-")]


TRACE = (
    "2021-03-19 16:33:02 WARN NettyClientPublicExecutor_1 - execute the pull request exception\n"
    "org.apache.rocketmq.client.exception.MQBrokerException: CODE: {code}  DESC: {text}\n"
    "See http://rocketmq.apache.org/docs/faq/ for further details.\n"
    "\tat org.apache.rocketmq.client.impl.MQClientAPIImpl.processPullResponse(MQClientAPIImpl.java:640)\n"
)


@pytest.mark.parametrize(
    ("code", "text", "first"),
    [
        (24, "the consumer's group info not exist", "broker-comes-back"),
        (24, "the consumer's subscription not exist", "subscriptions-overwritten"),
        (25, "the consumer's subscription not latest", "subscription-not-latest"),
        (26, "subscription group [g] does not exist, See http://x", "group-not-created"),
        (16, "the topic[t] pulling message is forbidden", "read-forbidden"),
    ],
)
def test_text_of_an_exception_precedes_the_line_that_introduces_it(code, text, first):
    told = statements(TRACE.format(code=code, text=text) * 2)
    assert told[0].rank == SPECIFIC
    assert told[0].times == 2
    assert causes(told[0], Asked())[0].cause.name == first
    assert told[-1].name == "pull-failed"
    assert f"code-{code}" not in {one.name for one in told}, "the text says more than its code"
    answer = "\n".join(by_statements(told, Asked()))
    assert text[:30] in answer
    assert "(2 times)" in answer


def test_code_precedes_the_line_that_introduces_it():
    told = statements(TRACE.format(code=24, text="unheard of"))
    assert [one.name for one in told][:2] == ["code-24", "pull-failed"]


def test_line_of_a_log_without_exception_is_found():
    (found,) = statements("2024-05-01 10:00:00 WARN - doRebalance, G, add a new mq failed, X, because lock failed")
    assert (found.rank, found.name) == (LOGGED, "lock-denied")


def test_words_are_no_statements():
    for text in ("one queue has backlog and is never consumed", "frequent rebalance", "消息重复", "stuck", ""):
        assert not statements(text)


def test_only_an_address_is_taken_for_one():
    assert all(one.rank > CODED for one in statements("connect to broker failed after a restart"))
    assert statements("connect to <rmq-broker:10909> failed")[0].name == "exception-connect-vip-failed"
    assert statements("connect to 10.0.0.9:9876 failed")[0].name == "exception-connect-name-server-failed"


def test_statement_that_a_terminal_wrapped_is_found():
    line = (
        "2021-04-13 10:40:49 INFO NettyEventExecutor - unregister consumer ok, no any connection, and remove consumer"
        " group, pay_cg"
    )
    told = statements("\n".join(line[at : at + 70] for at in range(0, len(line), 70)))
    assert "group pay_cg" in told[0].means


@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=300))
def test_any_paste_is_read(text):
    for one in statements(text):
        assert one.means


def test_names_in_a_paste_are_in_the_answer():
    line = (
        "2024-05-01 10:00:00 WARN - PULL_OFFSET_MOVED:correction offset. topic=pay, groupId=pay_cg, requestOffset=7, "
        "newOffset=0, suggestBrokerId=0, queueId=3, brokerName=broker-a"
    )
    answer = "\n".join(by_statements(statements(line), Asked()))
    assert "Offset 7 of topic pay is above the last message that the broker has, so it moves group pay_cg" in answer
    assert "It names: queue 3, broker broker-a." in answer


MOVED = (
    "WARN - PULL_OFFSET_MOVED:correction offset. topic=pay, groupId=pay_cg, requestOffset={}, newOffset={}, "
    "suggestBrokerId=0"
)
SMALL = (
    "INFO - the request offset too small. group=pay_cg, topic=pay, requestOffset={}, brokerMinOffset={}, clientIp=/c"
)
ILLEGAL = (
    "WARN the pull request offset illegal, PullRequest [consumerGroup=g, messageQueue=MessageQueue [topic=pay, "
    "brokerName=broker-a, queueId=1], nextOffset={}] PullResult [pullStatus=OFFSET_ILLEGAL, nextBeginOffset=5000, "
    "minOffset=5000, maxOffset=9000, msgFoundList=0]"
)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (MOVED.format(120, 5000), "offset-illegal"),
        (MOVED.format(9000, 100), "offset-above-broker"),
        (f"{MOVED.format(120, 5000)}\n{SMALL.format(120, 5000)}", "offset-illegal"),
        (f"{SMALL.format(120, 5000)}\n{MOVED.format(120, 5000)}", "offset-illegal"),
        ("the request offset: 120 too small, broker min offset: 5000, consumer: /10.0.0.5:4312", "offset-illegal"),
        ("the request offset: 9000 over flow badly, broker max offset: 5, consumer: /c:1", "offset-above-broker"),
        ("the broker stores no queue data, fix the request offset 9 to 0, Topic: t QueueId: 1 Consumer Group: g",
         "offset-above-broker"),
        (ILLEGAL.format(120), "offset-illegal"),
        (ILLEGAL.format(9500), "offset-above-broker"),
        ("the request offset: 9 over flow badly, fix to 5, broker max offset: 5, consumer: /c:1\n"
         "PULL_OFFSET_MOVED:none correction. topic=t, groupId=g, requestOffset=9, suggestBrokerId=0", "replica-behind"),
        ("CODE: 17  DESC: topic[pay] not exist, apply first please!", "topic-deleted"),
        ("CODE: 1  DESC: queueId[9] is illegal, topic:[pay] topicConfig.readQueueNums:[8] consumer:[/c:1]",
         "queues-reduced"),
    ],
)  # fmt: skip
def test_direction_of_an_offset_follows_from_the_numbers(text, first):
    told = statements(text)
    found = [one.cause.name for one in causes(told[0], Asked())]
    assert found[0] == first
    if first == "offset-illegal":
        assert "offset-above-broker" not in found
        assert "broadcasting" in told[0].means


def test_slave_that_corrects_nothing_is_no_restart():
    (found,) = (
        one
        for one in statements(
            "PULL_OFFSET_MOVED:none correction. topic=t, groupId=g, requestOffset=9, suggestBrokerId=0"
        )
        if one.rank == SPECIFIC
    )
    assert "It corrected nothing" in found.means
    assert "continues" not in found.means


CPP = "[2022-Mar-02 09:00:{at}](info):{line}[updateRequestTableInRebalance:555]\n"
DROP = "Drop mq:MessageQueue [topic=t, brokerName=b, queueId={queue}],because not responsive"
ADD = "Add mq:MessageQueue [topic=t, brokerName=b, queueId={queue}], request initial offset:7"
RECEIVE = "=====Receive Messages,Topic[t], MsgId[{id}],Body[{{a: 1, b: 2}}],RetryTimes[{times}]"


@pytest.mark.parametrize(
    ("lines", "pairs"),
    [
        ([("00.1", DROP, 2), ("00.9", ADD, 2)], 1),
        ([("00.1", DROP, 2), ("00.9", ADD, 3)], 0),
        ([("00.1", ADD, 2), ("00.9", DROP, 2)], 0),
        ([("00.1", DROP, 2), ("40.1", ADD, 2)], 0),
        ([("00.1", RECEIVE, "A"), ("00.2", RECEIVE, "A"), ("00.3", RECEIVE, "A")], 2),
        ([("00.1", RECEIVE, "A"), ("00.2", RECEIVE, "B")], 0),
    ],
)
def test_two_lines_with_one_value_say_more_than_each(lines, pairs):
    text = "".join(CPP.format(at=at, line=line.format(queue=of, id=of, times=0)) for at, line, of in lines)
    told = [one for one in statements(text) if one.pair]
    assert sum(one.times for one in told) == pairs
    assert all(one.causes[0] == "cpp-pulls-twice" for one in told)


def test_retry_is_no_second_delivery():
    text = "".join(CPP.format(at="00.1", line=RECEIVE.format(id="A", times=times)) for times in (0, 1))
    assert not [one for one in statements(text) if one.pair]


def test_code_without_a_cause_does_not_hide_a_line_with_one():
    told = statements("fetchConsumeOffsetFromBroker exception, mq MQBrokerException: CODE: 2  DESC: broker busy")
    assert told[0].name == "exception-offset-query-failed"


def test_class_of_a_groups_settings_is_no_name_of_a_group():
    (one, *_) = statements("delete subscription group OK, subscription group:SubscriptionGroupConfig{groupName=G, x=1}")
    assert one.named == ()
    assert "settings of group G" in one.means
