"""One log in many shapes: layouts, markup, line breaks and encodings give the same owners and findings.

A shape that does not show something gives a sentence about it instead.
"""

import json
import re
import textwrap
from dataclasses import dataclass

import pytest

from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.recorded.logs.times import DAY, date_of

Q = [f"MessageQueue [topic=pay_topic, brokerName=broker-a, queueId={number}]" for number in (0, 1)]
CLIENT = "10.0.0.1@7"
RESULT = (
    "rebalanced result changed. allocateMessageQueueStrategyName=AVG, group=order_group, topic=pay_topic, "
    f"clientId={CLIENT}, mqAllSize=2, cidAllSize={{}}, rebalanceResultSize={{}}, rebalanceResultSet=[{{}}]"
)
COMMIT = f"[persistAll] Group: order_group ClientId: {CLIENT} updateConsumeOffsetToBroker {{}} {{}}"
EVENTS = (
    (0, f"doRebalance, order_group, add a new mq, {Q[0]}"),
    (0, f"doRebalance, order_group, add a new mq, {Q[1]}"),
    (0, RESULT.format(1, 2, ", ".join(Q))),
    (5, COMMIT.format(Q[0], 17_448)),
    (5, COMMIT.format(Q[1], 20_000)),
    (10, COMMIT.format(Q[0], 17_460)),
    (10, COMMIT.format(Q[1], 19_000)),
    (15, f"doRebalance, order_group, add a new mq failed, {Q[1]}, because lock failed"),
    (16, f"doRebalance, order_group, remove unnecessary mq, {Q[1]}"),
    (16, RESULT.format(2, 1, Q[0])),
    (20, COMMIT.format(Q[0], 17_471)),
)
"""(second, message): a member takes two queues, sets one back, is denied a lock, and gives a queue up."""
START = 1_716_285_600_000
"""2024-05-21 10:00:00, as if it were UTC."""
CLASSIC = "{d} {t},{ms} INFO RocketmqClient - {m}"


def rendered(layout, lines=EVENTS, *, hours=0, name="May"):
    """The log as text, a line for each event. ``hours``: what the clock is behind 10:00."""
    found = []
    for second, message in lines:
        when = date_of(START + 1000 * second - 3_600_000 * hours)
        found.append(
            layout.format(
                d=f"{when:%Y-%m-%d}", t=f"{when:%H:%M:%S}", ms="123", m=message, s=second, day=21, name=name,
                hour=f"{when:%I:%M:%S}", epoch=START // 1000 + second - 28_800, quoted=json.dumps(message)[1:-1],
                gson=json.dumps(message)[1:-1].replace("=", "\\u003d"),
            )
        )  # fmt: skip
    return "\n".join(found) + "\n"


@dataclass(frozen=True)
class Shape:
    """A log's content, and what an audit cannot know from it."""

    content: str | bytes
    hours: int = 0
    """What the times in UTC are behind 10:00."""
    dated: bool = True
    said: str = ""
    """Name of the mark in the line counts that says what is not known."""


def wrapped(width, prefix="", hang="", *, within=True):
    """The classic layout, broken at a width; within words as terminals do, or between words as mail does."""
    lines = []
    for line in rendered(CLASSIC).splitlines():
        if within:
            lines += [line[at : at + width] for at in range(0, len(line), width)]
        else:
            lines += textwrap.wrap(line, width, subsequent_indent=hang, break_on_hyphens=False)
    return "".join(f"{prefix}{line}\n" for line in lines)


ZH = rendered("2024/5/{day} 上午 {t} [RebalanceService] INFO 消费者 {m}")
TABLE = (
    "#Topic    #Broker Name  #QID  #Broker Offset  #Consumer Offset  #Client IP  #Diff  #LastTime\n"
    "pay_topic broker-a      0     17480           17471             10.0.0.1    9      2024-05-21 10:00:19\n"
)
SHAPES = {
    "client 4": Shape(rendered(CLASSIC)),
    "client 5": Shape(rendered("{d} {t}.{ms} INFO  [4711] [RebalanceService] [RocketmqClient#?:?] - {m}"), 8),
    "Spring Boot 2": Shape(rendered("{d} {t}.{ms}  INFO 1 --- [lanceService_1] RocketmqClient             : {m}")),
    "Spring Boot 3": Shape(rendered("{d}T{t}.{ms}+08:00  INFO 1 --- [app] [Service] RocketmqClient : {m}"), 8),
    "Spring Boot, colours": Shape(
        rendered("\x1b[2m{d} {t}.{ms}\x1b[0;39m \x1b[32m INFO\x1b[0;39m \x1b[36mRocketmqClient\x1b[0;39m : {m}")
    ),
    "colours without the escape": Shape(
        rendered("[2m{d} {t}.{ms}[0;39m [32m INFO[0;39m [36mRocketmqClient[0;39m : {m}")
    ),
    "colours in caret notation": Shape(rendered("^[[2m{d} {t}.{ms}^[[0;39m ^[[32m INFO^[[0;39m : {m}")),
    "logback without a date": Shape(
        rendered("{t}.{ms} [RebalanceService] INFO  RocketmqClient - {m}"), dated=False, said="no_date"
    ),
    "log4j ABSOLUTE": Shape(rendered("{t},{ms}  INFO RocketmqClient:95 - {m}"), dated=False, said="no_date"),
    "log4j DATE": Shape(rendered("{day} {name} 2024 {t},{ms} INFO [RebalanceService] RocketmqClient - {m}")),
    "log4j DATE in Chinese": Shape(
        rendered("{day} {name} 2024 {t},{ms} INFO [RebalanceService] RocketmqClient - {m}", name="五月")
    ),
    "seconds since the start": Shape(rendered("{s}123 [RebalanceService] INFO RocketmqClient  - {m}"), said="relative"),
    "logrus at a terminal": Shape(rendered("INFO[00{s:02}] {m}"), said="relative"),
    "MDC first": Shape(rendered("[traceId=8f3a:17,user=42] {d} {t}.{ms} [main] INFO c.e.App - {m}")),
    "level first": Shape(rendered("INFO  {d} {t}.{ms} [main] RocketmqClient(680) - {m}")),
    "two columns": Shape(rendered("{d}\t{t}.{ms}\tINFO\tRocketmqClient\t{m}")),
    "RocketMQ 3": Shape(rendered("24-05-{day} {t} INFO MQClientFactoryScheduledThread - {m}")),
    "slashes, two digits": Shape(rendered("{day}/05/24 {t} INFO RebalanceService: {m}"), said="either"),
    "United States": Shape(rendered("5/{day}/2024 {hour} AM INFO {m}")),
    "Chinese, a.m.": Shape(ZH),
    "Chinese, a.m., GBK": Shape(ZH.encode("gbk")),
    "Chinese signs": Shape(rendered("2024年05月{day}日 {t} 信息 {m}")),
    "ctime": Shape(rendered("Tue May {day} {t} CST 2024 INFO {m}")),
    "RFC 2822": Shape(rendered("Tue, {day} May 2024 {t} +0530 INFO {m}"), 5.5),
    "ISO, a zone with minutes": Shape(rendered("{d}T{t}.{ms}+05:30 INFO {m}"), 5.5),
    "ISO, nanoseconds": Shape(rendered("{d}T{t}.{ms}456789Z INFO {m}")),
    "syslog": Shape(rendered("May {day} {t} host-1 java[77]: {m}"), said="no_year"),
    "journald, short-iso": Shape(rendered("{d}T{t}+0800 host-1 java[77]: {m}"), 8),
    "journald, json": Shape(rendered('{{"_PID":"7","__REALTIME_TIMESTAMP":"{epoch}123000","MESSAGE":"{quoted}"}}'), 8),
    "docker": Shape(rendered('{{"log":"{d} {t},{ms} INFO {quoted}\\n","stream":"stdout","time":"{d}T{t}.123456Z"}}')),
    "docker compose": Shape(rendered("\x1b[36mpay-1  | \x1b[0m{d} {t},{ms} INFO RocketmqClient - {m}")),
    "containerd": Shape(rendered("{d}T{t}.{ms}456789+08:00 stdout F {t}.{ms} INFO {m}"), 8),
    "stern": Shape(rendered("pay-7d9f-abc app {d} {t},{ms} INFO RocketmqClient - {m}")),
    "logstash": Shape(rendered('{{"@timestamp":"{d}T{t}.{ms}+08:00","message":"{quoted}","level":"INFO"}}'), 8),
    "epoch ms": Shape(rendered('{{"timeMillis":{epoch}123,"level":"INFO","message":"{gson}"}}'), 8),
    "zap": Shape(rendered('{{"level":"info","ts":{epoch}.1234567,"msg":"{quoted}"}}'), 8),
    "logfmt": Shape(rendered('time="{d}T{t}+08:00" level=info msg="{quoted}"'), 8),
    "klog": Shape(rendered("I0521 {t}.{ms}456       7 x.go:12] {m}"), said="no_year"),
    "Kibana's table": Shape(rendered('"May {day}, 2024 @ {t}.{ms}","{m}",host-1')),
    "grep -n": Shape(rendered("./logs/rocketmq_client.log.3:7{s}:" + CLASSIC)),
    "less -N": Shape("".join(f"{n:7} {line}\n" for n, line in enumerate(rendered(CLASSIC).splitlines(), 1))),
    "empty lines between": Shape(rendered(CLASSIC).replace("\n", "\n\n")),
    "fences and prose": Shape(f"We see this, on 3 nodes:\n\n```java\n{rendered(CLASSIC)}```\n\nAny idea?\n"),
    "Markdown quote": Shape(rendered("> " + CLASSIC)),
    "mail quote, nested": Shape(rendered("> > " + CLASSIC)),
    "list": Shape(rendered("- " + CLASSIC)),
    "code of four spaces": Shape(rendered("    " + CLASSIC)),
    "HTML": Shape(rendered("<p>" + CLASSIC + "</p>").replace("[", "&#91;")),
    "wrapped at 80": Shape(wrapped(80)),
    "wrapped at 120": Shape(wrapped(120)),
    "wrapped at 80, CR LF": Shape(wrapped(80).replace("\n", "\r\n")),
    "wrapped between words": Shape(wrapped(76, within=False)),
    "wrapped between words, hanging": Shape(wrapped(100, hang="    ", within=False)),
    "wrapped in a quote": Shape(wrapped(76, "> ", within=False)),
    "wrapped within words in a quote": Shape(wrapped(78, "> ")),
    "wrapped in a list": Shape(wrapped(80, "    ", within=False)),
    "one line": Shape(" ".join(rendered(CLASSIC).splitlines()) + "\n"),
    "one JSON string": Shape(json.dumps({"log": rendered(CLASSIC)}) + "\n"),
    "UTF-8 with a mark": Shape(rendered(CLASSIC).encode("utf-8-sig")),
    "UTF-16": Shape(rendered(CLASSIC).encode("utf-16")),
    "UTF-16 without a mark": Shape(rendered(CLASSIC).encode("utf-16-le")),
    "newest first": Shape("\n".join(reversed(rendered(CLASSIC).splitlines())) + "\n", said="turned"),
    "a table after it": Shape(f"{rendered(CLASSIC)}\n$ mqadmin consumerProgress -g order_group\n{TABLE}"),
}


def read(content, folder):
    """(owners, findings, line counts) of a file with this content; times in ms since the log's first second."""
    path = folder / "pasted.log"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "spool").mkdir(exist_ok=True)
    found, _ = sources([str(path)], folder / "spool")
    told = audit(found, Asked())
    owners = [
        (span.member[0], span.queue, span.begin, span.end if span.ends else None)
        for group in told.groups
        for span in group.spans
    ]
    findings = [
        (group.name, one.what, one.level, one.at, tuple(each.queue for each in one.intervals))
        for group in told.groups
        for one in group.findings
    ]
    return owners, findings, told.files[0].tally, found[0].mqadmin


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return read(rendered(CLASSIC), tmp_path_factory.mktemp("classic"))


@pytest.mark.parametrize("name", SHAPES)
def test_shape_gives_the_same_owners_and_findings(name, expected, tmp_path):
    shape = SHAPES[name]
    owners, findings, tally, table = read(shape.content, tmp_path)
    assert not shape.said or getattr(tally, shape.said)
    assert table == (name == "a table after it")
    if shape.said == "relative":
        assert tally.told == len(EVENTS)
        return

    def placed(at):
        if at is None:
            return None
        seconds = (at + 400 + int(shape.hours * 3_600_000)) // 1000
        return seconds % (DAY // 1000) if shape.said else seconds

    def every(spans, told, at_):
        return (
            sorted((who if who != CLIENT else CLIENT, queue, at_(begin), at_(end)) for who, queue, begin, end in spans),
            sorted((group, what, level, at_(at), queues) for group, what, level, at, queues in told),
        )

    def wanted(at):
        if at is None:
            return None
        seconds = (at + 400) // 1000
        return seconds % (DAY // 1000) if shape.said else seconds

    assert every(owners, findings, placed) == every(*expected[:2], wanted)


def test_shapes_are_many_and_have_content(expected):
    owners, findings, tally, _ = expected
    assert len(SHAPES) >= 60
    assert (len(owners), tally.told, tally.cut) == (2, len(EVENTS), 0)
    assert {str(one[1]) for one in findings} >= {"back", "locks"}
    assert not any(re.search(r"\{\w*\}", str(shape.content)) for shape in SHAPES.values())


def test_positions_in_a_log_with_the_newest_line_first_are_its_own(tmp_path):
    path = tmp_path / "newest.log"
    path.write_bytes(SHAPES["newest first"].content.encode())
    (tmp_path / "spool").mkdir()
    found, _ = sources([str(path)], tmp_path / "spool")
    told = audit(found, Asked())
    (denied,) = [one for one in told.groups[0].findings if one.what == "locks"]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all("lock failed" in lines[line - 1] for _, line in denied.evidence)
