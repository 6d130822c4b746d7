"""Log lines pasted into threads: layouts of applications and tools, and changes by web pages and mail."""

import json
import re
import textwrap
from datetime import UTC, datetime

import pytest

from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.lines import plain
from rebalance_proofs.recorded.logs.reader import Reader
from rebalance_proofs.recorded.logs.reading import Clock

MQ = "MessageQueue [topic=pay, brokerName=broker-a, queueId=1]"
SAID = (
    f"doRebalance, G, add a new mq, {MQ}",
    "rebalanced result changed. allocateMessageQueueStrategyName=AVG, group=G, topic=pay, clientId=10.0.0.1@7, "
    f"mqAllSize=2, cidAllSize=2, rebalanceResultSize=1, rebalanceResultSet=[{MQ}]",
    f"[persistAll] Group: G ClientId: 10.0.0.1@7 updateConsumeOffsetToBroker {MQ} 5",
    "receive broker's notification[10.0.0.9:10911], the consumer group: G changed, rebalance immediately",
    f"doRebalance, G, remove unnecessary mq, {MQ}",
)
KINDS = [Kind.ADDED, Kind.RESULT, Kind.COMMITTED, Kind.NOTIFIED, Kind.REMOVED]
AT = datetime(2024, 5, 21, 10, tzinfo=UTC).timestamp() * 1000
UTC_AT = AT - 8 * 3_600_000
"""What a clock that shows 10:00 at +08:00 is."""
LAYOUTS = {
    "boot": "2024-05-21 10:00:0{i}.000  INFO 1 --- [lancing-thread1] RocketmqClient             : {m}",
    "log4j": "2024-05-21 10:00:0{i},000 INFO  [RocketmqClient                ] [thread_1] - {m}",
    "id": "[1031178795459018753] 2024-05-21 10:00:0{i},000 INFO  [RocketmqClient    ] [pool-1] - {m}",
    "keys": "[2024-05-21 10:00:0{i}.000]\tlevel:INFO\t\tthread:T\tclass:RocketmqClient\t\tmsg:{m}\tex:",
    "grep": "./logs/rocketmq_client.log.3:7{i}:2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}",
    "grep of a dated name": "rocketmq-2024-04-30.log:2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}",
    "kubectl": "[pod/pay-7d9f-abc/app] 2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}",
    "compose": "\x1b[36mpay_1     |\x1b[0m 2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}",
    "two digits": "24/05/21 10:00:0{i} INFO RebalanceService: {m}",
    "day first": "21/05/2024 10:00:0{i}.000 INFO {m}",
    "month first": "05/21/2024 10:00:0{i}.000 INFO {m}",
    "dots": "21.05.2024 10:00:0{i},000 INFO {m}",
    "one digit": "2024-5-21 10:00:0{i} INFO {m}",
    "signs": "2024年05月21日 10:00:0{i} INFO {m}",
    "brackets": "【2024-05-21 10:00:0{i}.000】【INFO】{m}",
    "boost": "[2024-May-21 10:00:0{i}.000456](info):{m}[updateRebalance:310]",
    "glog": "I0521 10:00:0{i}.000456 77 rebalance.go:12] {m}",
    "syslog": "May 21 10:00:0{i} host-1 java[77]: {m}",
    "page": "2024-05-21 10:00:0{i},000 INFO RocketmqClient -&gt; &quot;{m}&quot;",
    "mail": "> > 2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}",
    "code": "`2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}`",
    "bold": "2024-05-21 10:00:0{i},000 INFO RocketmqClient - **{m}**",
    "table": "| 2024-05-21 10:00:0{i},000 | INFO | {m} |",
    "colours without escape": "[2m2024-05-21 10:00:0{i}.000[0;39m [32m INFO[0;39m : {m}",
    "columns": "2024-05-21,10:00:0{i}.000,INFO,RocketmqClient,{m}",
    "columns in quotes": '"2024-05-21","10:00:0{i}.000","INFO","{m}"',
    "month first, with dashes": "05-21-2024 10:00:0{i}.000 INFO [main] {m}",
    "small t": "2024-05-21t10:00:0{i}.000 INFO {m}",
    "spaces that do not break": "2024-05-21\u00a010:00:0{i},000\u00a0INFO\u00a0-\u00a0{m}",
    "wide colons": "2024-05-21 10：00：0{i} INFO {m}",
    "hours in signs": "2024年5月21日 10时00分0{i}秒 INFO {m}",
    "without signs": "20240521T10000{i},000 INFO RocketmqClient - {m}",
    "carriage return": "2024-05-21 10:00:0{i},000 INFO RocketmqClient - {m}\r",
}
ZONED = {
    "boot 3": "2024-05-21T10:00:0{i}.000+08:00  INFO 1 --- [pay] [           main] RocketmqClient : {m}",
    "Z": "2024-05-21T02:00:0{i}.000Z INFO {m}",
    "kubelet": "2024-05-21T02:00:0{i}.000000789Z 2024-05-21 10:00:0{i},120 INFO RocketmqClient - {m}",
    "docker": '{{"log":"2024-05-21 10:00:0{i},123 INFO - {m}\\n","stream":"stdout","time":"2024-05-21T02:00:0{i}Z"}}',
    "ms": "171625680{i}000 INFO RocketmqClient - {m}",
    "ms of a key": '{{"timeMillis":171625680{i}000,"level":"INFO","message":"{m}"}}',
    "seconds": '{{"level":"info","ts":171625680{i}.0001,"msg":"{m}"}}',
}


def read(text, clock=None):
    reader = Reader(clock or Clock(year=2024))
    reader.feed(text if isinstance(text, bytes) else text.encode())
    reader.end()
    return sorted((one for one in reader.facts if one.kind is not Kind.HEARD), key=lambda one: one.line), reader.tally


def pasted(layout):
    return "\n".join(layout.format(i=i, m=m) for i, m in enumerate(SAID)) + "\n"


ALTERED = {
    "Markdown's backslashes": lambda text: re.sub(r"([\[\]=._])", r"\\\1", text),
    "quotes of an editor": lambda text: text.replace("'", "’"),
    "letters that nobody sees": lambda text: text.replace(", ", ",\u200b ").replace("Queue", "\u00adQueue"),
    "spaces that do not break": lambda text: text.replace(" ", "\u00a0"),
    "wide commas": lambda text: text.replace(", ", "，"),
    "entities by number": lambda text: text.replace("[", "&#91;").replace("]", "&#93;").replace("=", "&#x3D;"),
    "entities by name": lambda text: text.replace("[", "&lsqb;").replace("]", "&rsqb;").replace("=", "&equals;"),
    "Gson": lambda text: text.replace("=", "\\u003d").replace("'", "\\u0027"),
    "Gson in JSON": lambda text: json.dumps({"message": text.replace("=", "\\u003d").replace("'", "\\u0027")}),
    "words that a search marks": lambda text: text.replace("topic", "<em>topic</em>").replace(
        "G", '<b class="x">G</b>'
    ),
    "Kibana's marks": lambda text: re.sub(
        "(mq|Group)", r"@kibana-highlighted-field@\1@/kibana-highlighted-field@", text
    ),
    "grep's colours": lambda text: text.replace("doRebalance", "\x1b[01;31m\x1b[KdoRebalance\x1b[m\x1b[K"),
    "a word in bold": lambda text: text.replace("doRebalance", "**doRebalance**"),
}
"""How a message comes out of a page, a chat, a list of search results or an encoder."""


@pytest.mark.parametrize("how", ALTERED)
def test_altered_message_is_read(how):
    text = "".join(f"2024-05-21 10:00:0{i},000 INFO RocketmqClient - {ALTERED[how](m)}\n" for i, m in enumerate(SAID))
    found, tally = read(text)
    assert [one.kind for one in found] == KINDS
    assert {one.group for one in found} == {"G"}
    assert {one.client for one in found} == {"", "10.0.0.1@7"}
    assert {one.queue for one in found if one.queue} == {("pay", "broker-a", 1)}
    assert tally.cut == 0


@pytest.mark.parametrize(
    "line", ["a\\b <x> & c ** 2 ** 3", "C:\\logs\\rocketmq", "10.0.**.1@7 and ***", "&amplitude; &x;", "caf\u00e9 €"]
)
def test_unrelated_markup_stays(line):
    assert plain(line.encode()).decode() == line


def test_other_encoding_keeps_its_bytes():
    assert plain("重平衡 \u003d **G**".encode("gbk")) == "重平衡 = G".encode("gbk")


@pytest.mark.parametrize("queues", [0, 1, 3])
def test_rust_share_has_a_line_per_queue(queues):
    head = "[2024-05-21 10:00:00.000] [info] [thread@7] - "
    lines = [
        f"{head}rebalanced result changed. group=G, topic=pay, clientId=10.0.0.1@7, mqAllSize=4, cidAllSize=2, "
        f"rebalanceResultSize={queues}, rebalanceResultSet:",
        *(f"{head}allocate mq:{MQ.replace('queueId=1', f'queueId={number}')}" for number in range(queues)),
        f"{head}doRebalance, G, add a new mq, {MQ}",
    ]
    found, tally = read("\n".join(lines))
    assert [one.kind for one in found] == [Kind.RESULT, Kind.ADDED]
    assert found[0].numbers == (4, 2, queues)
    assert found[0].queues == tuple(("pay", "broker-a", number) for number in range(queues))
    assert (found[0].group, found[0].client, tally.cut, tally.lines) == ("G", "10.0.0.1@7", 0, queues + 2)


def test_truncated_rust_share_is_reported():
    head = "[2024-05-21 10:00:00.000] [info] [thread@7] - "
    result = f"{head}rebalanced result changed. group=G, topic=pay, clientId=c, mqAllSize=4, cidAllSize=2, "
    text = f"{result}rebalanceResultSize=2, rebalanceResultSet:\n{head}allocate mq:{MQ}\n"
    found, tally = read(text)
    assert (found, tally.cut) == ([], 1)


@pytest.mark.parametrize("name", [*LAYOUTS, *ZONED])
def test_layout_is_read(name):
    found, tally = read(pasted({**LAYOUTS, **ZONED}[name]))
    assert [one.kind for one in found] == KINDS
    begins = AT if name in LAYOUTS else UTC_AT
    assert [one.at for one in found] == [begins + 1000 * second for second in range(5)]
    assert {one.group for one in found} == {"G"}
    assert {one.client for one in found} == {"", "10.0.0.1@7"}
    assert {one.queue for one in found if one.queue} == {("pay", "broker-a", 1)}
    assert (tally.cut, tally.no_date, tally.either) == (0, False, "ymd" if name == "two digits" else "")


def test_gbk_signs_and_names_are_read():
    found, _ = read(pasted("2024年05月21日 10:00:0{i} 消费者 {m} 完").encode("gbk"))
    assert [(one.kind, one.at) for one in found] == [(kind, AT + 1000 * place) for place, kind in enumerate(KINDS)]


def test_ambiguous_day_and_month_are_reported():
    found, tally = read(pasted("05/04/2024 10:00:0{i} INFO {m}"))
    assert datetime.fromtimestamp(found[0].at / 1000, UTC).month == 4
    assert tally.either
    found, tally = read(pasted("05/04/2024 10:00:0{i} INFO {m}"), Clock(order="mdy"))
    assert datetime.fromtimestamp(found[0].at / 1000, UTC).month == 5
    assert not tally.either


def test_time_without_a_date_follows_the_line_before():
    text = f"2024-05-21 23:59:58,000 INFO - {SAID[0]}\n23:59:57 {SAID[3]}\n00:00:01 INFO {SAID[4]}\n"
    found, tally = read(text)
    at = {one.kind: one.at for one in found}
    assert (at[Kind.NOTIFIED] - at[Kind.ADDED], at[Kind.REMOVED] - at[Kind.ADDED]) == (-1_000, 3_000)
    assert not tally.no_date


@pytest.mark.parametrize("line", ["subVersion=1716256800000, x", "1716256800000]", "offset 1716256800000 next", "17:1"])
def test_numbers_that_are_no_times_are_ignored(line):
    assert read(f"{line} {SAID[0]}\n")[1].dated == 0


def test_go_queue_field_is_read():
    head = 'level=info msg="{m}" MessageQueue="' + MQ + '" consumerGroup=G\n'
    for message, kind in (
        ("do defaultConsumer, add a new mq failed, because lock failed", Kind.DENIED),
        ("do defaultConsumer, add a new mq failed", Kind.NOT_ADDED),
        ("do defaultConsumer, add a new mq", Kind.ADDED),
        ("remove unnecessary mq when updateProcessQueueTable", Kind.REMOVED),
    ):
        ((fact,), _) = read(f"time=2024-05-21T10:00:00+08:00 {head.format(m=message)}")
        assert (fact.kind, fact.group, fact.queue, fact.at) == (kind, "G", ("pay", "broker-a", 1), UTC_AT)
        ((fact,), _) = read(f'WARN[0000] {message}  MessageQueue="{MQ}" consumerGroup=G\n')
        assert (fact.kind, fact.group, fact.at) == (kind, "G", 0)


def test_older_client_lines_are_read():
    ((fact,), _) = read(
        f"2024-05-21 10:00:00 INFO Rocketmq(144) - Group: G ClientId: c@1 updateConsumeOffsetToBroker {MQ} 87\n"
    )
    assert (fact.kind, fact.group, fact.client, fact.numbers) == (Kind.COMMITTED, "G", "c@1", (87, 87))


def test_cpp_offset_lines_name_no_client():
    found, tally = read(
        f"[2024-May-21 10:00:00.1](info):oneway updateConsumeOffsetToBroker of mq:{MQ}, its offset is:7[update:310]\n"
        "[2024-May-21 10:00:01](error):Get empty consumer IDs. Consumer Group: G, Topic: pay[doRebalance:94]\n"
    )
    assert [(one.kind, one.group) for one in found] == [(Kind.COMMITTED, ""), (Kind.NO_IDS, "G")]
    assert (found[0].numbers, tally.cut) == ((7, 7), 0)


def test_queue_without_a_comma_is_read():
    ((fact,), _) = read("doRebalance, G, add a new mq, MessageQueue [topic=xxx brokerName=b, queueId=5]\n")
    assert fact.queue == ("xxx", "b", 5)


@pytest.mark.parametrize("width", [60, 76, 101])
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("> ", "> "), ("    ", "    "), ("", "        "), ("- ", "\t")]
)
def test_lines_wrapped_at_a_width_are_joined(before, after, width):
    lines = pasted(LAYOUTS["log4j"]).splitlines()
    cut = [[line[at : at + width] for at in range(0, len(line), width)] for line in lines]
    found, tally = read(
        "".join(f"{before}{first}\n" + "".join(f"{after}{one}\n" for one in more) for first, *more in cut)
    )
    assert [one.kind for one in found] == KINDS
    assert tally.cut == 0


@pytest.mark.parametrize("before", ["", "> "])
def test_lines_wrapped_between_words_are_joined(before):
    text = "\n".join(textwrap.fill(line, 76, break_long_words=False) for line in pasted(LAYOUTS["log4j"]).splitlines())
    found, _ = read("".join(f"{before}{line}\n" for line in text.splitlines()))
    assert [one.kind for one in found] == KINDS


def test_wrapped_offset_is_one_number():
    """Otherwise it would be an offset rollback."""
    lines = [
        f"2024-05-21 10:00:0{second},000 INFO RocketmqClient - "
        f"[persistAll] Group: G ClientId: c@1 updateConsumeOffsetToBroker {MQ} {offset}\n"
        for second, offset in ((0, "7100"), (1, "71\n01"), (2, "7102"))
    ]
    ((fact,), tally) = read("".join(lines))
    assert (fact.numbers, fact.last_line, tally.lines) == ((7100, 7102), 4, 4)


def test_time_in_a_users_comment_is_ignored():
    _, tally = read(pasted(LAYOUTS["log4j"]) + "```\nIt began at 09:00:00, please help\n")
    assert (tally.back, tally.dated) == (0, 5)


def test_brokers_reason_for_a_refusal_is_read():
    for text, more in (
        ("the consumer's group info not exist, group: G", "group info not exist"),
        ("the consumer's subscription not exist, group: G, topic:pay", "subscription not exist"),
    ):
        ((fact,), _) = read(f"2024-05-21 10:00:00 WARN PullMessageThread_3 - {text}\n")
        assert (fact.kind, fact.group, fact.more) == (Kind.REFUSES, "G", more)


def test_message_on_its_own_line_is_read_once():
    found, tally = read("".join(f"2024-05-21 10:00:0{i},000 INFO RocketmqClient\n{m}\n" for i, m in enumerate(SAID)))
    assert [(one.kind, one.line) for one in found] == [(kind, 2 * place + 2) for place, kind in enumerate(KINDS)]
    assert [one.at for one in found] == [AT + 1000 * place for place in range(5)]
    assert (tally.told, tally.cut) == (5, 0)


@pytest.mark.parametrize(
    ("line", "pop", "grpc"),
    [
        (f"doRebalance, G, add a new pop mq, {MQ}", 1, 0),
        (f"PopRequest [topic=pay, consumerGroup=G, messageQueue={MQ}]", 1, 0),
        ("[PopBuffer]ack committed offset, reviveQueueId=3, buffer size=0", 1, 0),
        ("o.a.r.client.java.impl.consumer.ProcessQueueImpl - Process queue is idle, mq=pay.broker-a.1", 0, 1),
        (
            "org.apache.rocketmq.client.java.impl.ClientImpl - Begin to start the rocketmq client, clientId=a@1@0@x",
            0,
            1,
        ),
        (f"doRebalance, G, add a new mq, {MQ}", 0, 0),
        ("c.e.PopulationService: proxy of DefaultMQPushConsumerImpl", 0, 0),
    ],
)
def test_lines_of_what_is_not_modelled_are_counted(line, pop, grpc):
    tally = read(f"2024-05-21 10:00:00,000 INFO {line}\n")[1]
    assert (tally.pop, tally.grpc) == (pop, grpc)


@pytest.mark.parametrize(
    ("rest", "group"), [("E-GROUP", "ONE_MESSAGE-GROUP"), ("Any idea?", "ONE_MESSAG"), ("", "ONE_MESSAG")]
)
def test_name_at_the_end_of_a_wrapped_line_is_completed(rest, group):
    text = (
        "2021-04-13 10:40:49 WARN NettyEventExecutor - NETTY EVENT: remove not active channel[ClientChannelInfo "
        "[channel=[id: 0x1, L:/10.0.0.9:109\n11 ! R:/10.0.0.3:51290], clientId=10.0.0.3@77, language=JAVA, "
        "lastUpdateTimestamp=1618281624340]] from ConsumerGroupInfo groupChannelTable, consumer group: "
        f"ONE_MESSAG\n{rest}\n2021-04-13 10:40:50 INFO x - y\n"
    )
    (fact,), _ = read(text)
    assert (fact.kind, fact.group) == (Kind.GONE, group)
