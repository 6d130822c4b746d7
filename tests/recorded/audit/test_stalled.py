"""A queue whose committed offset stands still while others move, or while messages wait for the listener."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.joined import joined, tallied
from rebalance_proofs.recorded.logs.reader import Reader
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import commits, line, mq

ALL = range(0, 1200, 5)
FULL = (
    "the queue's messages, span too long, so do flow control, minOffset={}, maxOffset=9999, maxSpan=2001, pullRequest="
)


def moving(number, seconds=ALL, rate=3, start=100):
    return [one for second in seconds for one in commits("c@1", number, [second], start + second * rate)]


def still(number, offset=500, seconds=ALL):
    return commits("c@1", number, seconds, offset)


def full(second, number, offset):
    request = f"PullRequest [consumerGroup=G, messageQueue={mq(number)}, nextOffset=9999], flowControlTimes=1"
    return line(second, FULL.format(offset) + request)


def by_time(*logs):
    return sorted(one for log in logs for one in log)


def stalled(tmp_path, log):
    (group,) = audited(tmp_path, {"a.log": log}).groups
    return [one for one in group.findings if one.what is What.STALLED]


def test_still_queue_beside_moving_ones_is_seen(tmp_path):
    """20 minutes at one offset, while two other queues of the topic move all the time."""
    (found,) = stalled(tmp_path, by_time(moving(0), moving(1), still(2)))
    assert (found.level, found.numbers["offset"], found.long) == (Level.SEEN, 500, 1_195_000)
    assert found.causes == ("first-message-slow", "listener-blocks")
    assert found.detail.startswith("its committed offset stayed at 500, while 2 other queues of the topic moved on")


def test_still_queue_beside_one_moving_queue_is_possible(tmp_path):
    (found,) = stalled(tmp_path, by_time(moving(0), still(2)))
    assert found.level is Level.POSSIBLE
    assert "unless no message arrived in it" in found.detail


def test_flow_control_of_a_still_queue_is_seen(tmp_path):
    """The named minimum offset is the message that has not returned."""
    log = by_time(still(2, seconds=range(0, 120, 5)), [full(30, 2, 500), full(90, 2, 500)])
    (found,) = stalled(tmp_path, log)
    assert found.level is Level.SEEN
    assert "flow control names it as the first message that the listener has not finished" in found.detail
    other = by_time(still(2, seconds=range(0, 120, 5)), [full(30, 1, 77)])
    assert all(one.intervals[0].queue[2] == 1 for one in stalled(tmp_path, other))


def test_flow_control_without_commits_names_the_message(tmp_path):
    (found,) = stalled(tmp_path, [full(0, 2, 668629), full(30, 2, 668629)])
    assert (found.level, found.numbers["offset"]) == (Level.SEEN, 668629)
    assert stalled(tmp_path, [full(0, 2, 1), full(30, 2, 2)]) == []  # it moves, so nothing is stuck


@pytest.mark.parametrize(
    "log",
    [
        by_time(moving(0), moving(1), moving(2)),
        by_time(still(0), still(1, seconds=range(0, 500, 5))),
        by_time(moving(0, range(0, 30, 5)), still(2, seconds=range(0, 30, 5))),
        by_time(moving(0, range(0, 600, 5)), still(2, seconds=range(600, 1200, 5))),
    ],
    ids=["all move", "all stand, briefly", "half a minute", "not at the same time"],
)
def test_no_stalled_queue(tmp_path, log):
    assert [one for one in stalled(tmp_path, log) if one.level is Level.SEEN] == []


def test_offset_that_stops_after_regular_progress_is_possible(tmp_path):
    moved = moving(0, range(0, 600, 5))
    (found,) = stalled(tmp_path, [*moved, *still(0, 100 + 595 * 3, range(600, 1200, 5))])
    assert found.level is Level.POSSIBLE
    assert "after it had moved regularly" in found.detail


def test_failing_pulls_explain_a_still_offset(tmp_path):
    """A broker that does not answer is reported as such: the listener is not blamed."""
    failing = [
        line(second, f"execute the pull request exception, MQClientException: {mq(2)} connect to 10.0.0.1:10911 failed")
        for second in range(0, 1200, 30)
    ]
    assert stalled(tmp_path, by_time(moving(0), moving(1), still(2), failing)) == []


def test_pulls_that_wait_for_a_lock_change_the_cause(tmp_path):
    waits = [
        line(
            second,
            f"pull message later because not locked in broker, PullRequest [consumerGroup=G, messageQueue={mq(2)}",
        )
        for second in (10, 60, 110)
    ]
    (found,) = stalled(tmp_path, by_time(moving(0), moving(1), still(2), waits))
    assert found.causes[0] == "not-locked-yet"


@pytest.mark.parametrize("cut", [1, 3, 100, 130, 150, 359, 360, 700])
def test_parts_of_a_file_give_the_same_standing_times(cut):
    """Seeded fault: a part's first and last standing time must be joined, whatever their length."""
    flow = [full(second, 2, 500) for second in range(200, 300, 20)]
    log = by_time(moving(0), still(2), still(1, 7, range(0, 400, 5)), moving(1, range(400, 1200, 5)), flow)
    parts = []
    for lines in (log, log[:cut], log[cut:]):
        reader = Reader()
        reader.feed("".join(lines).encode())
        reader.end()
        parts.append((reader.facts, reader.tally))
    whole, *rest = parts

    def kept(facts):
        return sorted(
            (one for one in facts if one.stills or one.kind is Kind.SAID), key=lambda one: (one.kind, one.line)
        )

    own = kept(whole[0])
    assert {one.kind for one in own} == {Kind.COMMITTED, Kind.SAID}
    assert kept(joined(rest)) == own
    assert tallied(tally for _, tally in rest).named == whole[1].named
