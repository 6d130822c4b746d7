"""Files that hold several logs, or times without a date, and lines of a shipper around those of a client."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.logs.pieces import labels
from rebalance_proofs.recorded.logs.times import stamp
from rebalance_proofs.report.audit.words import moment, period
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import QUIET, added, commits, kinds, one_of, removed, result

GO = 'time="2025-08-05T09:{}+08:00" level=info msg="{}" MessageQueue="{}" consumerGroup=G offset={}\n'
MQ = "MessageQueue [topic=T, brokerName=b, queueId={}]"
TWO = {
    "a": sorted([added(0, 0), result(0, "a@1", [0]), *commits("a@1", 0, range(5, 60, 5))]),
    "b": sorted([added(20, 0), result(20, "b@1", [0]), *commits("b@1", 0, range(25, 60, 5))]),
}


def told(place, logs):
    return [
        (group.name, one.what, one.level, one.at, one.until)
        for group in audited(place, logs).groups
        for one in group.findings
    ]


@pytest.mark.parametrize(
    "form",
    [
        lambda name, line, number: f"{name}/client.log:{line}",
        lambda name, line, number: f"{name}/client.log:{number}:{line}",
        lambda name, line, number: f"[pod/{name}/app] {line}",
        lambda name, line, number: f"{name}-1  | {line}",
    ],
)
def test_logs_in_one_file_are_taken_apart(form, tmp_path):
    """Seeded fault: as one log, its clock steps back, and nothing is certain."""
    one = "".join(form(name, line, number) for name, own in TWO.items() for number, line in enumerate(own, 1))
    for name in ("apart", "together"):
        (tmp_path / name).mkdir()
    wanted = told(tmp_path / "apart", {f"{name}.log": own for name, own in TWO.items()})
    assert (What.TWO, Level.SEEN) in [one[1:3] for one in wanted]
    assert told(tmp_path / "together", {"all.log": one}) == wanted
    (group,) = audited(tmp_path / "together", {}).groups
    cited = {number for one in group.findings for file, number in one.evidence if file.endswith("all.log")}
    assert max(cited) > len(TWO["a"])  # numbers of the file's own lines


def test_logs_after_headers_of_tail_are_taken_apart(tmp_path):
    one = "".join(f"==> logs/{name}.log <==\n{''.join(own)}\n" for name, own in TWO.items())
    (group,) = audited(tmp_path, {"all.log": one}).groups
    assert (What.TWO, Level.SEEN) in [(one.what, one.level) for one in group.findings]
    assert len(group.coverage) == 2


def test_file_with_one_label_is_one_log():
    own = "".join(f"a.log:{line}" for line in TWO["a"]).encode()
    assert labels([own]) == []
    assert labels(["".join(TWO["a"]).encode()]) == []


def test_inner_time_of_a_shipped_line_counts():
    """Seeded fault: the shipper's time, seconds later."""
    outer = b'{"@timestamp":"2025-10-21T03:14:07.882Z","message":"2025-10-21 11:14:05 WARN x - y"}'
    container = b"2025-10-21T03:14:07.882Z stdout F 2025-10-21 11:14:05 WARN x - y"
    for line in (outer, container):
        made = stamp(line, 1970)
        assert stamp(line, 1970, "", made.place) == made
        assert (made.offset, made.zoned) == (8 * 3_600_000, True)
        assert moment(made.at, made.offset) == "2025-10-21 11:14:05.000"
    other = stamp(outer.replace(b"11:14:05", b"09:44:05"), 1970)
    assert moment(other.at, 0) == "2025-10-21 03:14:07.882"  # no whole hour: the line is about another time


def test_times_without_a_date_get_none(tmp_path):
    """Seeded fault: the day on which the file was written."""
    lines = "".join(one[11:] for one in sorted(QUIET))
    result_ = audited(tmp_path, {"a.log": lines})
    (group,) = result_.groups
    first, last = group.coverage[0].first, group.coverage[0].last
    assert period(first, last, 0, ms=False) == "12:00:00 .. 12:00:55"
    assert moment(first + 86_400_000, 0) == "day 2 12:00:00.000"
    assert result_.files[0].tally.dateless
    dated = audited(tmp_path, {"b.log": sorted(QUIET)})  # beside a log with dates, the file's day counts
    assert not any(one.tally.dateless for one in dated.files)


def test_seconds_since_the_start_are_times(tmp_path):
    lines = f'INFO[0121] lock MessageQueue  MessageQueue="{MQ.format(1)}" consumerGroup=G lockOK=false\n'
    (group,) = audited(tmp_path, {"a.log": lines}).groups
    (found,) = group.findings
    assert moment(found.at, 0) == "00:02:01.000"


def test_forgotten_offset_ends_ownership_in_go(tmp_path):
    """Seeded fault: a client whose only line about a removed queue is that one seems to keep the queue."""

    def commit(at, number, offset):
        return GO.format(at, "update offset to broker success", MQ.format(number), offset)

    def forgot(at, number):
        return GO.format(at, "delete mq from offset table", MQ.format(number), 0)

    lines = [
        *(commit(f"15:{second}", number, second) for second in range(10, 20, 5) for number in (0, 1)),
        *(commit(f"15:{second}", 0, second) for second in range(20, 60, 5)),
        commit("15:20", 1, 21),
        forgot("15:20", 1),
        forgot("15:50", 1),
        commit("15:55", 1, 30),
        GO.format("15:55", "remove unnecessary mq when updateProcessQueueTable", MQ.format(0), 0),
    ]
    lines.sort(key=lambda one: one[20:28])
    (group,) = audited(tmp_path, {"a.log": lines}).groups
    own = [(one.begin // 1000 % 60, one.end // 1000 % 60, one.ends) for one in group.spans if one.queue[2] == 1]
    assert own == [(10, 20, True), (55, 55, False)]
    assert len([one for one in group.spans if one.queue[2] == 0]) == 1


def test_queue_that_another_log_does_not_show_from_its_start_may_have_an_owner(tmp_path):
    """Seeded fault: the other consumer's log has no result, so its queues without a commit are not known."""
    a = commits("a@1", 0, range(0, 120, 5))
    b = [*(added(0, number) for number in range(4)), result(0, "b@1", [0, 1, 2, 3], cid_all=1)]
    b += [*(one for number in range(4) for one in commits("b@1", number, range(5, 60, 5)))]
    b += [removed(60, 0), removed(60, 1), result(60, "b@1", [2, 3])]
    b += [*(one for number in (2, 3) for one in commits("b@1", number, range(65, 120, 5)))]
    (group,) = audited(tmp_path, {"a.log": a, "b.log": sorted(b)}).groups
    assert What.NOBODY not in kinds(group)
    found = one_of(group, What.NOBODY)
    assert found.intervals[0].queue[2] == 1
    assert "log begins after it got its queues" in found.detail
    (group,) = audited(tmp_path, {"a.log": [result(0, "a@1", [0]), *a], "b.log": sorted(b)}).groups
    assert What.NOBODY in kinds(group)
