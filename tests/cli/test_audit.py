"""`rebalance audit`: exit statuses, options, and wrong calls."""

import gzip
import json
import os
import re
from contextlib import nullcontext
from html.parser import HTMLParser
from io import TextIOWrapper
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.cli.options import CORES
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.report.audit import read
from rebalance_proofs.report.schemas import published
from tests.recorded.audit.audited import LOGS

STOP, MIXED, ORDERED = (
    str(LOGS / name) for name in ("java-4.9.8/b_sigstop", "java-4.9.8/g_mixed", "java-5.3.3/ordered_all")
)
PACKED = sum(path.stat().st_size for path in Path(MIXED).glob("*.gz"))
"""Bytes of a recording's logs, all of which are packed."""
MQ = "MessageQueue [topic=T, brokerName=b, queueId=1]"
LINE = f"2023-01-31 12:00:00,000 INFO RocketmqClient - doRebalance, G, add a new mq, {MQ}\n"


def test_audit_with_findings_exits_with_status_1(call):
    done = call("audit", MIXED, columns=80)
    assert done.status == 1
    assert "Two consumers owned a queue at once (two):" in done.out
    assert "SEEN  T1 b0 1, 3  2026-11-23 19:10:04.788 .. 19:11:40.678, 1 min 36 s" in done.out
    assert "strategies differ: AVG in 127.0.0.1@c0; AVG_BY_CIRCLE in 127.0.0.1@c1." in " ".join(done.out.split())
    assert "Failed: SEEN back 2, nobody 1, two 1, views 1." in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_answer_is_chinese_on_request_and_json_is_english(call, tmp_path, monkeypatch):
    page = tmp_path / "audit.html"
    done = call("audit", MIXED, "--lang", "zh", "--report", str(page))
    assert (done.status, "消费者组 G" in done.out, "两个消费者同时持有一个队列（two）：" in done.out) == (1, True, True)
    assert '<html lang="zh-CN">' in page.read_text(encoding="utf-8")
    told = call("audit", MIXED, "--client", "4.9.8", "--json").out
    assert call("audit", MIXED, "--client", "4.9.8", "--json", "--lang", "zh").out == told
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "消费者组 G" in call("audit", MIXED).out
    assert call("audit", MIXED, "--client", "4.9.8", "--json").out == told


def test_never_and_allow_options_select_failing_findings(call):
    assert call("audit", STOP).status == 1
    assert call("audit", STOP, "--never", "two,nobody,views,unlike").status == 0  # they are only possible
    assert call("audit", STOP, "--never", "unread").status == 1
    assert call("audit", STOP, "--never", "unread", "--allow", "unread=2m").status == 1
    assert call("audit", STOP, "--never", "unread", "--allow", "unread=3m").status == 0
    assert call("audit", MIXED, "--never", "none").status == 0


def test_lines_are_compared_with_the_model(call, tmp_path):
    done = call("audit", STOP, "--model", "--never", "model")
    assert done.status == 0
    said = " ".join(done.out.split())
    assert "35 lines held against the model, " not in said
    assert "30 lines checked against the model, unknown: " in said
    with gzip.open(f"{STOP}/c0-rocketmq_client.log.gz", "rt", encoding="utf-8") as opened:
        lines = [
            line for line in opened if "add a new mq, MessageQueue [topic=T1, brokerName=b0, queueId=6]" not in line
        ]
    (tmp_path / "c0.log").write_text("".join(lines), "utf-8")
    done = call("audit", str(tmp_path), "--model", "--allow", "two=1h", "--json")
    told = json.loads(done.out)
    assert done.status == 1
    assert told["never"]["model"] == 0
    (coverage,) = told["groups"][0]["coverage"]
    assert coverage["model"]["lines"] > 30
    found = [one for one in told["groups"][0]["findings"] if one["what"] == "model"]
    assert {one["queue"]["id"] for finding in found for one in finding["queues"]} == {6}
    done = call("audit", STOP, "--never", "model")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "--model" in done.err


@pytest.mark.parametrize(
    ("large", "more", "used"),
    [
        (read.LARGE, (), []),
        (read.LARGE, ("--master", "local[3]"), ["local[3]"]),
        (0, (), [f"local[{CORES}]"]),
        (10 * PACKED, (), []),
        (10 * PACKED - 1, (), [f"local[{CORES}]"]),
    ],
)
def test_large_logs_are_read_on_spark_with_the_same_result(large, more, used, call, monkeypatch):
    masters = []

    def session(master):
        masters.append(master)
        return nullcontext()

    monkeypatch.setattr(read, "LARGE", large)
    monkeypatch.setattr("rebalance_proofs.spark_enum.session.spark_session", session)
    monkeypatch.setattr(
        "rebalance_proofs.spark_enum.audit.audit_on", lambda session, logs, question: audit(logs, question)
    )
    done = call("audit", MIXED, "--json", *more)
    assert masters == used
    assert json.loads(done.out)["spark"] == "".join(used)
    assert done.status == 1


@pytest.mark.parametrize(("less", "used"), [(0, []), (1, [f"local[{CORES}]"])])
def test_uncompressed_logs_count_each_byte_once(less, used, call, monkeypatch, tmp_path):
    masters = []
    (tmp_path / "a.log").write_text(LINE, encoding="utf-8")
    monkeypatch.setattr(read, "LARGE", len(LINE) - less)
    monkeypatch.setattr("rebalance_proofs.spark_enum.session.spark_session", lambda at: nullcontext(masters.append(at)))
    monkeypatch.setattr("rebalance_proofs.spark_enum.audit.audit_on", lambda _, logs, asked: audit(logs, asked))
    call("audit", str(tmp_path))
    assert masters == used


def test_lines_of_unknown_clients_are_counted(call, tmp_path):
    said = "lines without a known client"
    assert said not in " ".join(call("audit", MIXED).out.split())
    both = b"".join(gzip.decompress(path.read_bytes()) for path in sorted(Path(MIXED).glob("c[01]*.gz")))
    (tmp_path / "both.log").write_bytes(both)
    (group,) = json.loads(call("audit", str(tmp_path), "--json").out)["groups"]
    (log,) = group["coverage"]
    assert len(log["clients"]) == 2
    assert log["unnamed_lines"] > 1
    told = " ".join(call("audit", str(tmp_path)).out.split())
    assert told.count(f"{log['unnamed_lines']} {said}") == len(log["clients"])


def test_files_without_a_group_exit_with_status_3(call, tmp_path):
    (tmp_path / "a.log").write_text(
        "2023-01-31 12:00:00 INFO started\njava.lang.RuntimeException: x\n\tat Foo\n", encoding="utf-8"
    )
    done = call("audit", str(tmp_path))
    assert done.status == 3
    assert "No evidence" in done.out
    assert call("audit", str(tmp_path), "--never", "none").status == 3
    cut = "2023-01-31 12:00:00,1 INFO - doRebalance, G, add a new mq, MessageQueue [topic=T, brokerNa\n"
    (tmp_path / "a.log").write_text(cut * 2, encoding="utf-8")
    done = call("audit", str(tmp_path))
    assert done.status == 3
    assert "2 lines incomplete, such as 1: " in " ".join(done.out.split())
    assert "nothing readable in these files is about a consumer group" in " ".join(done.out.split())
    (tmp_path / "a.log").write_text("", encoding="utf-8")
    assert call("audit", str(tmp_path)).status == 3


@pytest.mark.parametrize("folder", [STOP, MIXED, ORDERED])
def test_json_matches_its_schema_and_text_fits_its_width(call, folder):
    done = call("audit", folder, "--json")
    told = json.loads(done.out)
    Draft202012Validator(published("audit")).validate(told)
    assert told["status"] == done.status
    text = call("audit", folder, columns=80).out
    assert max(map(len, text.splitlines())) <= 80


def test_schema_lists_all_kinds_of_findings():
    assert published("audit")["$defs"]["what"]["enum"] == list(What)


def test_group_topic_and_time_options_filter_the_answer(call):
    assert "Group GO" not in call("audit", MIXED, "--group", "G").out
    assert "%RETRY%" not in call("audit", MIXED, "--topic", "T1", "--group", "G").out
    done = call("audit", STOP, "--from", "19:18:20", "--to", "2026-11-23 19:19")
    assert done.status == 0
    assert "Nothing found." in done.out
    day = call("audit", STOP, "--from", "2026-11-23", "--to", "2026-11-23")  # the whole day, to its end
    assert day.status == 1
    assert "19:17:55.449" in day.out


def test_time_of_day_refers_to_the_displayed_date(call, tmp_path):
    """Evening lines in UTC that are the next morning in the displayed zone; also with a clock that is ahead."""
    commit = f"[persistAll] Group: G ClientId: %s@1 updateConsumeOffsetToBroker {MQ} 5\n"
    for name in "ab":
        lines = [f"2023-01-31T20:00:{second:02}.000Z INFO {commit % name}" for second in range(0, 25, 5)]
        (tmp_path / f"{name}.log").write_text("".join(lines), encoding="utf-8")
    assert call("audit", str(tmp_path), "--to", "21:00").status == 1
    assert "2023-02-01 04:00:00" in call("audit", str(tmp_path), "--zone", "+08:00").out
    assert call("audit", str(tmp_path), "--zone", "+08:00", "--to", "05:00").status == 1
    assert call("audit", str(tmp_path), "--zone", "+08:00", "--from", "05:00").status == 0
    ahead = ("--clock", "a.log=+10h", "--clock", "b.log=+10h")
    assert call("audit", str(tmp_path), "--zone", "+08:00", *ahead, "--to", "19:00").status == 1
    assert call("audit", str(tmp_path), "--zone", "+08:00", *ahead, "--from", "19:00").status == 0


def test_time_beyond_the_calendar_is_clipped(call, tmp_path):
    """The last hour of the year 9999, for a clock that is ahead."""
    (tmp_path / "a.log").write_text(f"9999-12-31T23:00:00Z INFO {LINE[46:]}", encoding="utf-8")
    done = call("audit", str(tmp_path), "--zone", "+08:00", "--report", str(tmp_path / "page.html"))
    assert done.status == 0
    assert "9999-12-31 23:59:59" in done.out


def test_zone_option_shifts_displayed_times(call):
    assert "19:17:22.826" in call("audit", STOP).out
    shown = call("audit", STOP, "--zone", "+08:00").out
    assert "19:17:22.826" in shown
    assert "times +08:00" in shown
    told = json.loads(call("audit", STOP, "--zone", "+08:00", "--json").out)
    assert told["groups"][0]["owners"][0]["from"] == 1_795_461_296_541 - 8 * 3_600_000


def test_answer_is_written_to_files(call, tmp_path):
    place = tmp_path / "out"
    done = call(
        "audit", STOP, "--output", str(place), "--report", str(tmp_path / "page.html"), "--parquet", str(tmp_path / "p")
    )
    assert done.status == 1
    names = sorted(path.name for path in place.iterdir())
    assert names == ["audit.html", "audit.json", "audit.txt"]
    page = (place / "audit.html").read_text("utf-8")
    assert page == (tmp_path / "page.html").read_text("utf-8")
    HTMLParser().feed(page)
    assert page.count("data-timeline=") == 1
    assert page.count('class="owner') >= 8
    assert re.search(r'rocketmq_client\.log\.gz:\d+</code> <code class="line">2026-11-23 19:', page)
    assert "127.0.0.1@c1" in page
    owners = pq.read_table(tmp_path / "p" / "owners.parquet")
    assert owners.num_rows == 21
    assert set(pq.read_table(tmp_path / "p" / "findings.parquet")["what"].to_pylist()) >= {"two", "back", "unread"}


def test_escape_sequences_and_markup_in_names_are_escaped(call, tmp_path):
    bad = "c\x1b]0;x\x07<script>alert(1)</script>"
    commit = f"[persistAll] Group: G ClientId: {bad} updateConsumeOffsetToBroker {MQ} 5\n"
    (tmp_path / "a.log").write_text(LINE + LINE[:46] + commit, encoding="utf-8")
    done = call("audit", str(tmp_path), "--report", str(tmp_path / "page.html"))
    assert done.status == 0
    assert "\x1b" not in done.out
    assert "<script>alert" not in (tmp_path / "page.html").read_text("utf-8")


def test_piped_compressed_and_truncated_input_is_read(call, tmp_path, monkeypatch):
    packed = gzip.compress((LINE * 2000).encode())
    (tmp_path / "torn.log.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "binary").write_bytes(os.urandom(4000) + b"\0" * 4000)
    done = call("audit", str(tmp_path))
    assert done.status == 3
    assert "damaged" in " ".join(done.out.split())
    assert "it is not a text file" in " ".join(done.out.split())
    with (tmp_path / "in.log").open("w+b") as opened:
        opened.write(LINE.encode())
        opened.seek(0)
        monkeypatch.setattr("sys.stdin", TextIOWrapper(opened))
        assert "Group G" in call("audit", "-").out


TABLE = (
    "#Topic  #Broker Name  #QID  #Broker Offset  #Consumer Offset  #Client IP  #Diff  #LastTime\n"
    "T       b             0     100             90                10.0.0.1    10     2024-05-01 10:00:00\n"
    "T       b             1     100             90                N/A         10     2024-05-01 09:00:00\n"
    "\nConsume TPS: 0.00\nConsume Diff Total: 20\n"
)


@pytest.mark.parametrize("before", ["", "> ", "&gt; ", "    "])
def test_mqadmin_table_is_read_from_a_mail_or_a_page(call, tmp_path, before):
    text = "".join(f"{before}{line}\n" for line in f"$ sh mqadmin consumerProgress -g G\n{TABLE}".splitlines())
    (tmp_path / "table.txt").write_text(f"```\n{text}```\n", encoding="utf-8")
    done = call("audit", str(tmp_path))
    assert done.status == 0
    assert "Queue 1 of b (T): no client, 10 messages wait" in " ".join(done.out.split())


def test_mqadmin_table_and_log_lines_are_read_from_one_file(call, tmp_path):
    (tmp_path / "both.txt").write_text(f"{TABLE}\nAnd the log says:\n{LINE}", encoding="utf-8")
    done = call("audit", str(tmp_path))
    assert "Queue 1 of b (T): no client, 10 messages wait" in " ".join(done.out.split())
    assert "Group G" in done.out


def test_mqadmin_output_is_read_beside_logs(call, tmp_path):
    info = (
        '{"jstack":"x","mqTable":{{"brokerName":"b","queueId":3,"topic":"T"}:{"cachedMsgCount":2,"droped":false,'
        '"lastConsumeTimestamp":1620000000000,"lastPullTimestamp":1620000400000,"locked":true,"tryUnlockTimes":0}},'
        '"properties":{"consumerGroup":"G","clientIP":"10.0.0.%d","instanceName":"7"},"statusTable":{},'
        '"subscriptionSet":[{"subString":"*","topic":"T"}]}'
    )
    for number in (1, 2):
        (tmp_path / f"info{number}.json").write_text(info % number, encoding="utf-8")
    (tmp_path / "bad.txt").write_text("#Topic #Broker Name #QID #Broker Offset #Other\nT b 0 1 2\n", encoding="utf-8")
    done = call("audit", str(tmp_path))
    assert "Queue 3 of b (T): owned by 10.0.0.1@7 and 10.0.0.2@7 at once." in " ".join(done.out.split())
    assert "bad.txt: it is not output of `mqadmin" in " ".join(done.out.split())
    assert done.status == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing argument 'PATH...'"),
        (("/no/such.log",), "'/no/such.log' does not exist"),
        (("/no/*.log",), "'/no/*.log' matches no file"),
        ((STOP, "--zone", "x"), "'x' is not a time zone; write it like +08:00"),
        ((STOP, "--zone", "+25:00"), "'+25:00' is not a time zone"),
        ((STOP, "--zone", "+08:00", "--zone", "+09:00"), "--zone is given twice"),
        ((STOP, "--zone", "none.log=+08:00"), "no log file is called 'none.log'"),
        ((STOP, "--clock", "1.2s"), "'1.2s' is not a clock error; write FILE=TIME, such as c0.log=+1.2s"),
        ((STOP, "--clock", "none.log=+1.2s"), "no log file is called 'none.log'"),
        ((STOP, "--clock", "c0*=soon"), "'c0*=soon' is not a clock error"),
        ((STOP, "--tolerate", "much"), "'much' is not a time"),
        ((STOP, "--never", "nobdy"), "'nobdy' is not a kind of finding; did you mean 'nobody'"),
        ((STOP, "--never", ","), "',' names no finding"),
        ((STOP, "--allow", "two"), "'two' has no time; write KIND=TIME, such as two=30s"),
        ((STOP, "--allow", "storm=1s"), "--allow storm: this finding does not fail the audit anyway"),
        ((STOP, "--from", "yesterday"), "'yesterday' is not a time"),
        ((STOP, "--from", "25:99"), "'25:99' is not a valid date or time of day"),
        ((STOP, "--from", "19:20", "--to", "19:10"), "--from 19:20 is after --to 19:10"),
        ((STOP, "--client", "3.77"), "version '3.77' is not covered"),
        ((STOP, "--group", ""), "'' is not a name"),
        ((STOP, "--report", "/no/such/page.html"), "does not exist"),
        ((STOP, "--output", ""), "is not a folder name"),
        ((STOP, "--master", ""), "'' is not a Spark master"),
    ],
)
def test_invalid_call_exits_with_status_2(call, arguments, said):
    done = call("audit", *arguments)
    assert done.status == 2
    assert said in done.complaint


def test_report_does_not_overwrite_a_foreign_page(call, tmp_path):
    page = Path(tmp_path / "mine.html")
    page.write_text("mine", encoding="utf-8")
    assert call("audit", STOP, "--report", str(page)).status == 2
    assert page.read_text(encoding="utf-8") == "mine"


def test_file_that_why_understands_is_named(call, tmp_path):
    paste = tmp_path / "paste.txt"
    for text in (
        "MQBrokerException: CODE: 206  DESC: the consumer group[G] not online\n",
        "RemotingTooMuchRequestException: sendDefaultImpl call timeout\n",
        "#Topic  #Consumer Group  #Accumulation  #InTPS  #OutTPS\npay pay_cg 100 2.1 2.0\n",
    ):
        paste.write_text(text, encoding="utf-8")
        done = call("audit", str(paste))
        assert done.status == 3
        assert f"Run: rebalance why --file {paste}" in " ".join(done.out.split())
    paste.write_text("hello world\n", encoding="utf-8")
    assert "rebalance why" not in call("audit", str(paste)).out


@pytest.mark.parametrize(("group", "client"), [("", ", gRPC Go"), (", consumerGroup=pay", "")])
def test_audit_of_a_log_of_a_grpc_client_has_its_causes(call, tmp_path, group, client):
    log = tmp_path / "client.log"
    begin = "2026-08-21T10:00:0{}.123+0800\tWARN\tgolang/process_queue.go:312\t"
    full = f"Process queue cache is full, would receive message later, mq=T.b.3, clientId=h@1@0@a{group}"
    log.write_text("".join(f"{begin.format(second)}{full}\n" for second in range(3)), encoding="utf-8")
    out = call("audit", str(log)).out
    assert f"Causes that fit{client}:\n  cache-full: " in out
    assert "; cause: cache-full\n" in out
