"""Stalled queues in mqadmin's output that was taken at two times."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Audited
from rebalance_proofs.report.audit.answer import Printed
from rebalance_proofs.report.audit.printed import add_stalled, stalled
from rebalance_proofs.report.symptoms.mqadmin.read import parsed
from tests.report.symptoms.printed import Consumer, Entry, Row, member, progress

LATER = "2024-05-01 10:10:00"
OLD = "2024-05-01 03:00:00"
BEFORE = (Row(0), Row(1))
LAGGING = progress((Row(0, 500, 10, last=OLD), Row(1, 400, 100, last=OLD)))
STARTED = {"PROP_CONSUMER_START_TIMESTAMP": "1714557000000"}


def report(pulled, *, commit=7, cached=3, started=STARTED):
    entry = Entry(0, cached=cached, pulled=f"20240501{pulled}000", commit=commit)
    return member(Consumer((entry,), more=started))


@pytest.mark.parametrize(
    ("first", "last", "level"),
    [
        (progress(BEFORE), progress((Row(0, 400, 399, last=LATER), Row(1, 400, 100))), Level.SEEN),
        (progress(BEFORE), progress((Row(0, 400, 399), Row(1, 400, 100))), Level.POSSIBLE),
        (LAGGING, progress((Row(0, 500, 490, last=LATER), Row(1, 500, 100, last=OLD))), Level.POSSIBLE),
        (progress(BEFORE), progress((Row(0, 102, 102, last=LATER), Row(1, 400, 100))), Level.POSSIBLE),
        (LAGGING, LAGGING, None),
        (progress(BEFORE) + progress((Row(0), Row(1, 300, 300))), progress((Row(0), Row(1, 400, 100))), None),
        (progress(BEFORE), progress((Row(0, 400, 100), Row(1, 400, 100))), Level.POSSIBLE),
        (progress(BEFORE), progress((Row(0, 400, 399, last=LATER), Row(1, 120, 100))), None),
        (progress(BEFORE), progress((Row(0, 400, 399, last=LATER), Row(1, 400, 101))), None),
        (report("100000"), report("101000"), Level.SEEN),
        (report("101000"), report("100000"), Level.SEEN),
        (report("100000"), report("100200"), Level.POSSIBLE),
        (report("100000"), report("100020"), None),
        (report("100000"), report("101000", commit=8), None),
        (report("100000"), report("101000", cached=0), None),
        (report("100000") + "\n" + report("100500", commit=9), report("101000"), None),
        (report("100000"), report("100000"), None),
        (report("100000"), report("101000", started={}), None),
    ],
)
def test_offset_that_stands_in_two_outputs_is_a_finding(first, last, level):
    found = list(stalled(parsed(first + "\n" + last), "G"))
    assert [one.level for one in found if one.intervals[0].queue[2] == (1 if "#Diff" in first else 0)] == (
        [level] if level else []
    )


def test_findings_belong_to_the_group_of_the_output():
    """Seeded fault: the findings are not among those that fail the audit."""
    own = parsed(report("100000") + "\n" + report("101000"))
    result = Audited([], [], 0)
    add_stalled(result, [Printed(("a",), (), "G", (), tuple(stalled(own, "")))])
    ((group,),) = ([one for one in result.groups if one.name == "G"],)
    (found,) = group.findings
    assert (found.what, found.members) == (What.STALLED, ("10.0.0.1@77#1",))
    assert "stayed at 7, while messages were cached, in two reports 600 s apart" in found.detail


@pytest.mark.parametrize(
    ("named", "group", "topic", "many"),
    [("G", "H", "", 0), ("G", "G", "", 1), ("", "H", "", 1), ("G", "", "U", 0), ("G", "", "T", 1)],
)
def test_findings_about_another_group_or_topic_are_left_out(named, group, topic, many):
    own = parsed(progress(BEFORE) + "\n" + progress((Row(0), Row(1, 400, 100))))
    result = Audited([], [], 0)
    add_stalled(result, [Printed(("a",), (), named, (), tuple(stalled(own, named)))], group, topic)
    assert sum(len(one.findings) for one in result.groups) == many
