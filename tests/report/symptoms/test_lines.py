"""Log lines are found by a part of their text, and by a logged line with its values."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rebalance_proofs.cli.why import why
from rebalance_proofs.recorded.logs.lines import ALL, HOLE, NAMED, found, narrowed
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.search import LINES, WITHOUT_CAUSE, is_line, is_logged, pointed_to
from rebalance_proofs.report.symptoms.words import line as told
from tests.each import each

LOGGED = [row.split("\t") for row in Path(__file__).with_name("logged.tsv").read_text("utf-8").splitlines()]
"""Release, whose log, the line's name, and what stood there."""
each_line = each("name", LINES)


@each_line
def test_line_is_found_by_its_text_and_as_it_is_logged(name):
    for wording in LINES[name].wordings:
        assert found(wording.text, LINES[name])
        logged = wording.text.replace(HOLE, "some value of 1")
        assert found(f"2024-05-01 10:00:00,123 WARN Rebalance - {logged}", LINES[name])
        assert found(logged.upper(), LINES[name])


@each_line
def test_wording_names_searched_releases(name):
    wordings = LINES[name].wordings
    assert all(set(one.releases) <= set(ALL) for one in wordings)
    assert all(one.where for one in wordings)
    assert len({one.text for one in wordings}) == len(wordings)


@each(("release", "logs", "name", "logged"), LOGGED)
def test_recorded_log_line_matches_one_line(release, logs, name, logged):
    """Excerpts of the logs of clients and brokers of 4.9.8 and 5.3.3."""
    ((line, _),) = pointed_to(logged, Asked(), None)
    assert line is LINES[name]
    assert line.logs.value == logs
    (wording,) = _longest(logged, line)
    assert release in wording.releases
    # Which logger it is says which file it is in; a client's of 5.x is its class.
    assert (line.file == "lock.log") is ("RocketmqRebalanceLock" in logged)
    assert (line.file == "broker.log") is ("RocketmqBroker" in logged)
    if (release, logs) == ("5.3.3", "client"):
        assert f" {wording.where} - " in logged


def _longest(logged, line):
    """The wordings of which most is in it."""
    there = {one: len(one.text) for one in line.wordings if found(logged, replace(line, wordings=(one,)))}
    return [one for one, long in there.items() if long == max(there.values())]


def test_removal_of_an_idle_entry_is_not_a_lost_queue():
    """Up to 4.9.8 this line contains the words of the other one."""
    removal = "doRebalance, G, remove unnecessary mq, MessageQueue [topic=T, brokerName=b, queueId=0]"
    because = ", because pull is pause, so try to fixed it"
    for logged, name in ((removal, "removed"), (f"[BUG]{removal}{because}", "not-pulled")):
        assert [line for line, _ in pointed_to(logged, Asked("4.9.8"), None)] == [LINES[name]]
    both = f"[BUG]{removal}{because}\n{removal}"
    assert [line for line, _ in pointed_to(both, Asked("4.9.8"), None)] == [LINES["removed"], LINES["not-pulled"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("subscription not exist", {"not-subscribed"}),
        ("subscription changed", {"topics-changed", "tags-changed"}),
        ("less than store", {"went-back"}),
        (
            "2024-05-01 WARN the consumer's subscription not exist, group: G, topic:T",
            {"not-subscribed"},
        ),
        ("doRebalance, G, add a new mq failed, MessageQueue [topic=T], because lock failed", {"lock-denied"}),
        ("the consumer's group info not exist", {"no-group"}),
        ("", set()),
        ("mq", set()),
        ("no such line anywhere", set()),
    ],
)
def test_text_finds_the_expected_lines(text, names):
    assert {name for name, line in LINES.items() if found(text, line)} == names


@each_line
def test_line_is_found_by_its_words_alone(name):
    """Typed from memory, without values and punctuation."""
    known = {LINES[name], LINES.get(LINES[name].like)}
    for wording in LINES[name].wordings:
        words = re.findall(r"\w+", wording.text.replace(HOLE, " "))
        if len(words) < 4:
            continue
        for typed in (words, words[:4]):
            assert known.intersection(line for line, _ in pointed_to(" ".join(typed), Asked(), None))
        for typed in (words[::-1], [*words[:2], "unheard", *words[2:]]):
            assert not found(" ".join(typed), replace(LINES[name], wordings=(wording,)))


@pytest.mark.parametrize(
    ("remark", "names"),
    [
        ("the consumer's subscription not latest", ["not-latest"]),
        ("the consumer's subscription not exist", ["not-subscribed"]),
        ("the consumer's group info not exist", ["no-group"]),
        ("the consumer's luck not latest", []),
    ],
)
def test_brokers_answer_is_found_in_a_clients_exception(remark, names):
    logged = f"MQBrokerException: CODE: 25  DESC: {remark}\nFor more information, please visit the url"
    assert [line for line, _ in pointed_to(logged, Asked(), None)] == [LINES[name] for name in names]


@pytest.mark.parametrize(
    ("logged", "name"),
    [
        (
            'level=warning msg="do defaultConsumer, add a new mq failed, because lock failed" mq="MessageQueue"',
            "lock-denied",
        ),
        ("[ERROR] lockBatchMQ fails of mq:MessageQueue[topic=T]", "lock-denied"),
        ("WARN [mq:consumer] doRebalance, G, but the topic[T] not exist.", "no-route"),
        ("could not find clientId from Broker[run:1]", "not-listed"),
    ],
)
def test_line_of_another_client_has_the_causes_of_java_s_line(logged, name):
    ((line, causes),) = pointed_to(logged, Asked(), None)
    assert line.like == name
    assert {one.cause.name for one in causes} == {
        one.cause.name for one in pointed_to(LINES[name].wordings[0].text, Asked(), None)[0][1]
    }


def test_line_without_a_cause_is_found_only_by_four_words():
    logged = "the first time to pull message, so fix offset from broker. pullRequest: P NewOffset: 7 brokerBusy: false"
    assert [line for line, _ in pointed_to(logged, Asked(), None)] == [WITHOUT_CAUSE["first-pull"]]
    assert [line for line, _ in pointed_to("so fix offset from", Asked(), None)] == [WITHOUT_CAUSE["first-pull"]]
    assert pointed_to("fix offset from", Asked(), None) == []


def test_line_that_indicates_causes_comes_before_one_without():
    text = "[persistAll] Group: G ClientId: C updateConsumeOffsetToBroker Q 7\ndoRebalance, G, remove unnecessary mq, Q"
    assert [line for line, _ in pointed_to(text, Asked(), None)] == [LINES["removed"]]


def test_line_of_two_clients_is_found_once():
    for release, name in (("", "notified"), ("5.3.3", "notified"), ("go", "go-notified")):
        assert [line for line, _ in pointed_to("receive broker's notification", Asked(release), None)] == [LINES[name]]


@pytest.mark.parametrize(
    ("logged", "name"),
    [
        (
            "the queue's messages, span too long, so do flow control, minOffset=1, maxOffset=9, maxSpan=8",
            "span-too-long",
        ),
        (
            "client rebalanced result changed. allocateMessageQueueStrategyName=AVG, group=G, topic=T, cli",
            "share-changed",
        ),
        ("the request offset too small. group=G, topic=T, requestOffset=5, brokerMin", "offset-moved"),
        ("subscription changed, group: G remove topic T", "topics-changed"),
        ("subscription changed, group: G OLD: SubscriptionData", "tags-changed"),
        (
            "RebalanceLockManager#tryLockBatch: message queue has been locked by other client, group=G, m",
            "locked-by-other",
        ),
    ],
)
def test_line_that_was_cut_off_is_found(logged, name):
    assert [line for line, _ in pointed_to(f"2024-05-01 WARN {logged}", Asked(), None)] == [LINES[name]]


@pytest.mark.parametrize(
    "text",
    [
        "the queue's messages",
        "doRebalance, G, our own message",
        "2024-05-01 INFO - subscription of G",
        "send heart beat to broker[b 0 10.0.0.1:10911] at last",
    ],
)
def test_first_words_of_a_line_are_not_the_line(text):
    assert not [line for line, _ in pointed_to(f"{text} and more words", Asked(), None)]


def test_line_has_only_causes_that_the_client_can_have():
    ((line, causes),) = pointed_to("message queue lock expired, I got it", Asked("5.3.3", "push orderly"), None)
    assert line is LINES["lock-ran-out"]
    assert "slow-listener" in {one.cause.name for one in causes}
    ((_, causes),) = pointed_to("message queue lock expired, I got it", Asked("5.3.3", "push"), None)
    assert not causes


def test_line_is_printed_in_the_wording_of_the_client():
    line = LINES["share-changed"]
    assert '"rebalanced result' in told(line, Asked("4.9.2"))
    assert '"client rebalanced result' not in told(line, Asked("4.9.2"))
    for release in ("5.2.0", "5.5.0"):
        assert '"client rebalanced result' in told(line, Asked(release))
        assert '"rebalanced result' not in told(line, Asked(release))
    assert " or " in told(line, Asked())
    # A broker's release is not the client's.
    assert " or " in told(LINES["lock-ran-out"], Asked("4.9.8"))


def test_line_is_quoted_in_the_form_of_the_text():
    line = LINES["flow-control"]
    cut = "the cached message size exceeds the threshold 100 MiB, so do flow control, minOffset=1, maxOffset=2"
    assert {one.text.partition(" exceeds")[0].casefold() for one in narrowed(cut, line).wordings} == {
        "the cached message size"
    }
    assert narrowed("no such text", line) == line


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-01 10:00:00,123 WARN RebalanceService - a line",
        "14:22:04.005 [NettyClientPublicExecutor_1] WARN RocketmqClient-130 a line",
        "2016-07-07 17:50:59.546 RocketmqClient [WARN] a line",
        "2021-09-06 15:24:26.213  INFO 15752 --- [lientSelector_1] RocketmqRemoting : a line",
        "[2021-02-01 14:23:42.545] [warning] [thread@30244] - a line",
        "INFO[0005] a line",
        'time="2020-03-16T15:38:53Z" level=warning msg="a line"',
        '{"level":"warn","ts":1616491936.3,"msg":"a line"}',
        "WARN rocketmq::push_consumer: a line",
        "\tat com.acme.Pay.consumeMessage(Pay.java:41)",
        "Traceback (most recent call last):",
    ],
)
def test_log_line_in_any_form_is_no_description(text):
    assert is_logged(text)


@pytest.mark.parametrize(
    "text",
    [
        "at 10:00:00 the consumer logged ERROR and stopped",
        "ERROR in our system since it restarted at 10:30:00",
        "messages are lost, level: high",
        "the message queue lock expired, so consume later",
    ],
)
def test_description_with_a_time_or_a_level_is_no_log_line(text):
    assert not is_logged(text)


@each("name", NAMED)
def test_known_line_as_an_argument_is_read_as_a_line(name):
    texts = [wording.text.replace(HOLE, "a") for wording in NAMED[name].wordings]
    assert [text for text in texts if not is_line(text)] == []
    assert not is_line(f"messages are lost after {texts[0]}")


def test_words_of_a_line_without_a_cause_name_no_symptom():
    line = "Drop message queue because it is expired, mq=a, clientId=c"
    said = [CliRunner().invoke(why, [text]).output for text in (line, "lost messages, because the queue is expired")]
    assert ["idle queue replaced" in one for one in said] == [True, False]
    assert ["Understood: lost messages" in one for one in said] == [False, True]
