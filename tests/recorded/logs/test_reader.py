"""The same lines in every layout give the same facts; cut, long and broken lines are reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.logs import FORMS, play
from rebalance_proofs.recorded.logs import commits
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.joined import joined, tallied
from rebalance_proofs.recorded.logs.reader import Reader
from rebalance_proofs.recorded.logs.reading import Clock

MQ = "MessageQueue [topic=T, brokerName=b, queueId={}]"
ADDED = f"doRebalance, G, add a new mq, {MQ.format(1)}"
RESULT = (
    "rebalanced result changed. allocateMessageQueueStrategyName=AVG, group=G, topic=T, clientId=10.0.0.1@1, "
    f"mqAllSize=4, cidAllSize=2, rebalanceResultSize=2, rebalanceResultSet=[{MQ.format(0)}, {MQ.format(1)}]"
)
COMMIT = f"[persistAll] Group: G ClientId: 10.0.0.1@1 updateConsumeOffsetToBroker {MQ.format(1)} "
LAYOUTS = [
    "2023-01-31 12:00:0{s},000 INFO RocketmqClient - {m}\r\n",
    "2023-01-31 12:00:0{s}.000 INFO  [4711] [RebalanceService] [RocketmqClient#?:?] - {m}\n",
    "2023-01-31 12:00:0{s}.000  INFO 1 --- [lancing-thread1] RocketmqClient                           : {m}\n",
    "[INFO][2023-01-31 12:00:0{s}.000][tid-1] {m}\n",
    "7:2023-01-31\t12:00:0{s},000\tINFO\t{m}\n",
    "\x1b[32m2023-01-31 12:00:0{s}.000\x1b[0m {m}\n",
    '{{"@timestamp":"2023-01-31T12:00:0{s}.000","message":"{m}"}}\n',
    "23-01-31 12:00:0{s} INFO main - {m}\n",
]


def facts(text, clock=None):
    reader = Reader(clock or Clock())
    reader.feed(text if isinstance(text, bytes) else text.encode())
    reader.end()
    return reader.facts, reader.tally


def of(found, kind):
    return [one for one in found if one.kind is kind]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_facts(layout):
    text = "".join(layout.format(s=s, m=m) for s, m in enumerate((ADDED, RESULT, f"{COMMIT}5", f"{COMMIT}7")))
    found, tally = facts(text)
    (added,), (result,), (run,) = of(found, Kind.ADDED), of(found, Kind.RESULT), merged(of(found, Kind.COMMITTED))
    assert added.at == 1_675_166_400_000
    assert (result.at, result.numbers, len(result.queues)) == (1_675_166_401_000, (4, 2, 2), 2)
    assert run == (1_675_166_402_000, 1_675_166_403_000, 5, 7)
    assert (tally.lines, tally.dated, tally.told, tally.cut) == (4, 4, 4, 0)


def merged(runs):
    """Commits of some layouts come one by one."""
    return [(runs[0].at, runs[-1].until, runs[0].numbers[0], runs[-1].numbers[1])]


@pytest.mark.parametrize("end", ["...", " ...", "…", ".."])
def test_truncated_offset_is_ignored(end):
    found, tally = facts(f"[t] 2023-01-31 12:00:00,000 INFO x - {COMMIT}12{end}\n2023-01-31 12:00:01,000 next\n")
    assert (of(found, Kind.COMMITTED), tally.cut) == ([], 1)


@pytest.mark.parametrize("head", ["[tid-{s}{s}] ", "{s}:", "", "host-1 java[77]: "])
def test_commits_of_any_layout_are_runs(head):
    """One fact per queue, for any order of the commits, and one rollback."""
    first, second = (f"[persistAll] Group: G ClientId: c@1 updateConsumeOffsetToBroker {MQ.format(n)} " for n in (1, 2))
    said = [(0, first, 5), (0, second, 99), (5, second, 100), (5, first, 7), (10, first, 6), (10, second, 100)]
    form = head + "2023-01-31 12:00:{s:02},000 INFO RocketmqClient - {m}{o}\n"
    found, tally = facts("".join(form.format(s=s, m=m, o=o) for s, m, o in said))
    runs = {one.queue[2]: one for one in of(found, Kind.COMMITTED)}
    assert runs[1].numbers == (5, 6, 7, 6, 1_675_166_410_000, 5)
    assert runs[2].numbers == (99, 100)
    assert [(one.at, one.until, one.line, one.last_line) for _, one in sorted(runs.items())] == [
        (1_675_166_400_000, 1_675_166_410_000, 1, 5),
        (1_675_166_400_000, 1_675_166_410_000, 2, 6),
    ]
    assert (len(of(found, Kind.COMMITTED)), tally.told) == (2, 6)


@pytest.mark.parametrize("width", [60, 80, 100, 132])
def test_terminal_wrapped_lines_are_joined(width):
    line = f"2023-01-31 12:00:00,000 INFO RocketmqClient - {RESULT}"
    text = "\n".join(line[at : at + width] for at in range(0, len(line), width)) + "\n2023-01-31 12:00:01,000 next\n"
    found, tally = facts(text)
    (result,) = of(found, Kind.RESULT)
    assert (result.line, result.at, len(result.queues)) == (1, 1_675_166_400_000, 2)
    assert tally.cut == 0


def test_truncated_line_is_counted_and_shown():
    found, tally = facts(f"2023-01-31 12:00:00,000 x - {RESULT[:-60]}\n2023-01-31 12:00:01,000 next\n")
    assert of(found, Kind.RESULT) == []
    assert tally.cut == 1
    assert tally.example.startswith("1: 2023-01-31 12:00:00,000 x - rebalanced result changed")


def test_refusal_reason_is_read_from_the_next_line():
    text = (
        "2023-01-31 12:00:00,000 WARN RocketmqClient - execute the pull request exception\n"
        "org.apache.rocketmq.client.exception.MQBrokerException: CODE: 25  DESC: the consumer's subscription not latest"
        " BROKER: 10.0.0.1:10911\n"
        "\tat org.apache.Foo(Foo.java:1)\n"
        "2023-01-31 12:00:01,000 WARN RocketmqClient - execute the pull request exception\n\n"
        "org.apache.rocketmq.remoting.exception.RemotingTimeoutException: wait response timeout\n"
    )
    found, _ = facts(text)
    assert [one.more for one in of(found, Kind.REFUSED)] == [
        "the consumer's subscription not latest",
        "failed: RemotingTimeoutException",
    ]


def test_cpp_result_has_a_line_per_queue():
    text = (
        "[2021-Mar-24 10:02:01.123456] [info] Allocation result for [Consumer Group: G, Topic: T, Current Consumer ID: "
        "10.0.0.1@9] is changed.\n Total Queue #: 4, Total Consumer #: 2 Allocated Queues are: \n"
        f"{MQ.format(0)}\n{MQ.format(1)}\n\n[2021-Mar-24 10:02:02.000000] [info] next\n"
    )
    found, _ = facts(text)
    (result,) = of(found, Kind.RESULT)
    assert (result.group, result.client, result.numbers) == ("G", "10.0.0.1@9", (4, 2, 2))
    assert result.queues == (("T", "b", 0), ("T", "b", 1))


def test_clock_going_back_starts_a_new_day_without_dates():
    found, tally = facts(f"23:59:59.000 {ADDED}\n00:00:01.000 {ADDED}\n", Clock(day=86_400_000))
    first, second = of(found, Kind.ADDED)
    assert second.at - first.at == 2_000
    assert tally.no_date


def test_zone_and_clock_offset_are_applied():
    line = f"2023-01-31 12:00:00,000 INFO x - {ADDED}\n"
    zoned = f"2023-01-31T12:00:00.000+01:00 x - {ADDED}\n"
    clock = Clock(zone=8 * 3_600_000, shift=-1_200)
    assert of(facts(line, clock)[0], Kind.ADDED)[0].at == 1_675_166_400_000 - 8 * 3_600_000 - 1_200
    assert of(facts(zoned, clock)[0], Kind.ADDED)[0].at == 1_675_166_400_000 - 3_600_000 - 1_200


def test_rollbacks_within_a_run_are_found():
    text = "".join(
        f"2023-01-31 12:00:{s:02},000 INFO RocketmqClient - {COMMIT}{o}\r\n" for s, o in ((0, 9), (5, 100), (10, 99))
    )
    (run,) = of(facts(text)[0], Kind.COMMITTED)
    assert run.numbers == (9, 99, 100, 99, 1_675_166_410_000, 3)


def test_noisy_names_end_runs_without_loss(monkeypatch):
    monkeypatch.setattr(commits, "MOST_RUNS", 2)
    every = [(s, queue) for s in (0, 5, 10) for queue in (1, 2, 3)]
    text = "".join(
        f"2023-01-31 12:00:{s:02},000 INFO RocketmqClient - [persistAll] Group: G ClientId: c@1 "
        f"updateConsumeOffsetToBroker {MQ.format(queue)} {s}\n"
        for s, queue in every
    )
    reader = Reader()
    reader.feed((text + f"2023-01-31 12:00:11,000 INFO RocketmqClient - {ADDED}\n").encode())
    reader.end()
    runs = of(reader.facts, Kind.COMMITTED)
    assert sorted((one.numbers[0], one.queue[2]) for one in runs) == every
    assert all(one.at == one.until and one.line == one.last_line for one in runs)


@pytest.mark.parametrize(
    "text",
    [
        b"\0" * 5000,
        b"\xff\xfe" * 100,
        b"a" * 3_000_000 + b"\n",
        "日志 doRebalance, 组".encode("gbk"),
        b"\n\n\r\n",
        b"[persistAll] Group: ",
    ],
)
def test_noise_gives_no_facts(text):
    found, _ = facts(text)
    assert found == []


@given(st.binary(max_size=400))
def test_any_bytes_are_harmless(text):
    facts(text)
    facts(f"2023-01-31 12:00:00,000 {COMMIT}".encode() + text)
    facts(f"2023-01-31 12:00:00,000 {RESULT[:90]}".encode() + text)


@given(st.integers(0, 30), st.sampled_from(list(FORMS)), st.lists(st.integers(1, 200), min_size=1, max_size=6))
def test_parts_of_a_log_give_the_facts_of_the_whole(seed, form, cuts):
    """However a log is split, the facts are those of reading it at once."""
    text = "".join(play(seed, members=2, seconds=60, form=form).logs["10.0.0.0@4711"])
    lines = text.splitlines(keepends=True)
    whole, tally = facts(text)
    parts, at = [], 0
    for cut in [*cuts, len(lines)]:
        parts.append(facts("".join(lines[at : at + cut])))
        at += cut
    kinds = [one for one in whole if one.kind is not Kind.HEARD]
    together = [one for one in joined(parts) if one.kind is not Kind.HEARD]
    assert sorted(together, key=str) == sorted(kinds, key=str)
    assert tallied(one for _, one in parts) == tally
