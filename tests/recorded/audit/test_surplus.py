"""Members without a queue, and gaps of an excerpt in which no message waited."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_findings import added, commits, line, mq, removed, result

LAST = f"[persist] Group: G ClientId: c@1 updateConsumeOffsetToBroker {mq(0)} 7"


def surplus(tmp_path, queues, mq_all, cid_all):
    lines = [added(0, 0), *commits("c@1", 0, [1, 6], 5), line(8, LAST), removed(8, 0)]
    lines += [
        result(8, "c@1", queues, mq_all, cid_all),
        line(1800, "send heart beat to broker[b 0 10.0.0.9:1] success"),
    ]
    (group,) = audited(tmp_path, {"a.log": lines}).groups
    return group


def test_more_members_than_queues_are_no_fault(tmp_path):
    """Seeded fault: the consumer's last queue disappears without a word, and its silence looks like a pause."""
    group = surplus(tmp_path, [], 8, 9)
    (found,) = group.findings
    assert (found.what, found.level, found.causes) == (What.LINES, Level.SEEN, ("more-consumers-than-queues",))
    assert found.detail == (
        "the group has 9 members and the topic 8 queues, so 1 without a queue is expected, and no fault; "
        "c@1 gave up b 0 at offset 7"
    )
    assert group.coverage[0].silences == ()


def test_member_without_a_queue_among_enough_queues_is_no_surplus(tmp_path):
    assert surplus(tmp_path, [], 9, 9).findings == []


def idle(offset, second, number):
    """Return the lines of a moment: statistics of the last minute, and two commits."""
    said = f"[CONSUME_OK_TPS] [T@G] Stats In One Minute, SUM: {number} TPS: 0.00 AVGPT: 0.00"
    return [line(second, said), *commits("c@1", 0, [second, second + 5], offset)]


@pytest.mark.parametrize(
    ("moments", "number"),
    [
        ([(9, 0, 0), (9, 60, 0), (9, 120, 0)], 0),
        ([(9, 0, 0), (9, 60, 3), (9, 120, 0)], 2),  # messages were consumed
        ([(9, 0, 0), (11, 60, 0)], 1),  # the offset moved
    ],
)
def test_gap_of_an_excerpt_is_no_finding_while_the_topic_is_idle(moments, number, tmp_path):
    """Seeded fault: each gap between the minutes' lines is reported, although no message waited."""
    (group,) = audited(tmp_path, {"a.log": [one for moment in moments for one in idle(*moment)]}).groups
    assert len([one for one in group.findings if one.what is What.UNREAD]) == number


def test_gap_without_statistics_is_still_possible(tmp_path):
    (group,) = audited(tmp_path, {"a.log": commits("c@1", 0, [0, 5, 60, 65], 9)}).groups
    assert [one.level for one in group.findings if one.what is What.UNREAD] == [Level.POSSIBLE]
