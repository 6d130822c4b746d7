"""Situations as users describe them, and the causes that come first for them; questions about times."""

import json

import pytest
from click.testing import CliRunner

from rebalance_proofs.cli.why import why
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.explained import asks_how_long, durations
from rebalance_proofs.report.symptoms.paste import statements
from rebalance_proofs.report.symptoms.understood import understood
from rebalance_proofs.report.symptoms.unmodelled import outside


def first(text: str, client: str = "") -> list[str]:
    """Return the first causes of the command's answer."""
    options = ["--client", client] * bool(client)
    found = CliRunner().invoke(why, [text, *options, "--json"], standalone_mode=False)
    return list(json.loads(found.output)["first"])


FIRST = [
    (
        "after restarting the consumer lots of messages are consumed again, 20000 qps on a single machine",
        "go",
        "go-unfinished-at-restart",
    ),
    ("消费者重启后大量重复消费，可以接受消息丢失", "go", "go-unfinished-at-restart"),
    ("单机5w qps, 消费者重启后重复消费", "5.3.1", "hand-over"),
    ("the messages expired before we could consume them, the offset is below the minimum", "", "offset-illegal"),
    ("消息已经过期删除了, 消费位点小于最小位点", "", "offset-illegal"),
    ("spring cloud stream: when the listener throws the same message arrives 3 times at once", "", "spring-retries"),
    pytest.param(
        "监听器抛异常时收到多条相同的消息 spring-cloud-stream",
        "",
        "spring-retries",
        marks=pytest.mark.xfail(strict=True, raises=AssertionError, reason="third, after same-client-id"),
    ),
    (
        "a new broadcasting consumer with CONSUME_FROM_LAST_OFFSET misses messages",
        "5.3.1",
        "broadcasting-starts-at-end",
    ),
    ("新的消费组收不到之前的消息", "", "nothing-committed"),
    ("messages of other tags count as lag", "", "filtered"),
    ("route info changed after broker-b came back and its queues are not consumed", "go", "routes-differ"),
    ("a consumer was closed permanently and some messages are delayed for half an hour", "5.3.1", "host-vanished"),
]


@pytest.mark.parametrize(("text", "client", "cause"), FIRST)
def test_cause_of_a_situation_comes_first(text, client, cause):
    assert first(text, client)[0] == cause


LOSSES = {
    "messages are consumed twice, I can accept loss of messages": False,
    "重复消费，不能丢消息": False,
    "messages are lost after a restart": True,
    "重启后丢消息": True,
}


@pytest.mark.parametrize(("text", "lost"), LOSSES.items())
def test_loss_that_is_accepted_or_ruled_out_is_no_symptom(text, lost):
    assert (Symptom.LOST in understood(text).symptoms) is lost


def test_rate_of_one_host_says_nothing_about_processes():
    said = "several consumers on one host or in containers"
    assert said not in {one.en for one in understood("单机10000QPS, 重复消费").said}
    assert said in {one.en for one in understood("单机启动两个消费者, 重复消费").said}


TIMES = {
    "消费者宕机后，broker多久会把下线的节点踢掉": True,
    "how long does a rebalance take after a crash?": True,
    "how long until the queues of a crashed consumer are consumed again": True,
    "after how many seconds does the broker detect that a client is offline": True,
    "消费者下线后需要多久其他消费者才能接管队列": True,
    "how long do messages stay in the broker": False,
    "one queue has been stuck, how long I do not know, after a crash": False,
    "消费者宕机，卡了多久都不消费": False,
}


@pytest.mark.parametrize(("text", "asks"), TIMES.items())
def test_question_about_a_time_is_recognised(text, asks):
    assert asks_how_long(text, bool(understood(text).symptoms)) is asks


def test_answer_about_times_has_those_of_the_model():
    found = CliRunner().invoke(why, ["多久会把下线的节点踢掉", "--lang", "en"], standalone_mode=False)
    assert found.return_value == 0
    assert found.output.splitlines() == [*durations()]
    for time in ("26.5 s", "120 s", "130 s", "156.5 s", "60 s"):
        assert time in found.output


PASTES = [
    (
        'INFO[0002] the topic route info changed changeTo="" topic="T"\n'
        'WARN[0002] do balance in group failed, the topic does not exist  consumerGroup="N%G" topic="%RETRY%N%G"',
        "exception-go-no-balance-of-retry-topic",
        "group-not-created",
    ),
    ("the topic=%RETRY%G1 route info not found, it may not exist", "exception-go-no-retry-topic", "group-not-created"),
    ("the topic=T1 route info not found, it may not exist", "exception-go-no-topic", "topic-missing"),
    (
        'INFO[0002] the topic route info changed changeTo="" topic="T"\n'
        'WARN[0002] query topic route from server error           underlayError="topic not exist"',
        "route-failed",
        "",
    ),
    (
        "[2019-Feb-23 23:52:51](error):no response got for opaque:12\n"
        "[2019-Feb-23 23:52:51](error):send msg, callback timeout, opaque:12, sendTimes:1, maxRetryTimes:1",
        "exception-cpp-pull-unanswered",
        "",
    ),
]


@pytest.mark.parametrize(("text", "name", "cause"), PASTES)
def test_most_specific_statement_of_a_paste_comes_first(text, name, cause):
    told = statements(text)[0]
    assert told.name == name
    assert not cause or told.causes[0] == cause


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("[POP] slow consumption causes duplicates", "popInvisibleTime"),
        ("the grpc proxy listens on port 8081", "proxy"),
    ],
)
def test_answer_about_an_unmodelled_subject_has_what_is_known(text, known):
    found = CliRunner().invoke(why, [text], standalone_mode=False)
    assert found.output.startswith(("UNMODELLED", "This was not understood"))
    assert known in found.output


@pytest.mark.parametrize(("text", "kept"), [("messages are lost", True), ("the messages expired before", False)])
def test_messages_that_were_deleted_are_not_called_unread(text, kept):
    found = CliRunner().invoke(why, [text], standalone_mode=False)
    assert ("still on the broker" in found.output) is kept


def test_clients_inside_other_packages_are_known():
    assert "proxy" in outside("rocketmq-v5-client-spring-boot-starter 2.3.1")
    assert first("messages are consumed twice after a deploy", "seatunnel")


def test_note_about_a_client_is_printed_once():
    found = CliRunner().invoke(why, ["rocketmq-spring: twice", "--client", "rocketmq-spring"], standalone_mode=False)
    assert found.output.count("run Java's push consumer") == 1


def test_confirmation_by_a_log_line_is_short():
    found = CliRunner().invoke(why, ["same clientId in 2 docker containers"], standalone_mode=False)
    quoted = [line for line in found.output.splitlines() if line.startswith("   Confirm") and "the log of" in line]
    assert quoted
    assert not any('" or "' in line or len(line) > 400 for line in quoted)
