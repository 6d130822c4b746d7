"""Lanes of the timeline: owners at the same time share the height, and queues with like owners share a lane."""

from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, tuples

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.audit.told import Span
from rebalance_proofs.report.audit.timeline import IN_TURN, Bar, Mark, binned, coarse, merged, shares, timeline

A, B = ("1@a", "a.log"), ("2@b", "b.log")
WHERE = ("", 1)


def span(member, queue, begin, end):
    return Span(member, ("T", "b0", queue), begin, end, True, True, WHERE, WHERE, begin, end)


def group(spans, findings=()):
    return GroupTold("G", list(spans), [], [], [], [], list(findings), 2, 9)


ENTRIES = lists(tuples(integers(0, 12), integers(1, 6), sampled_from((0, 1, 2))), max_size=7).map(
    lambda drawn: sorted((begin, begin + long, owner) for begin, long, owner in drawn)
)


@given(ENTRIES)
def test_each_moment_shows_each_owner_once(entries):
    bars = list(shares(entries))
    for moment in range(20):
        owners = sorted({owner for begin, end, owner in entries if begin <= moment < end})
        here = sorted((one for one in bars if one.begin <= moment < one.end), key=lambda one: one.place)
        assert [one.owner for one in here] == owners
        assert [(one.place, one.of) for one in here] == [(place, len(owners)) for place in range(len(owners))]


def test_entry_without_duration_is_shown():
    assert list(shares([(5, 5, 1)])) == [Bar(1, 5, 5)]


def test_queues_with_owners_within_a_second_share_a_lane():
    near = [span(A, 0, 0, 9_000), span(A, 1, 1_000, 8_000), span(A, 2, 0, 12_000), span(B, 3, 0, 9_000)]
    assert [lane.name for lane in timeline(group(near)).lanes] == ["T  b0 0-1", "T  b0 2", "T  b0 3"]


def test_queue_with_a_finding_has_its_own_lane():
    finding = Finding(What.NOBODY, Level.SEEN, "G", "T", (), (Interval(("T", "b0", 1), 2, 3),), "x", (), ())
    lanes = timeline(group([span(A, 0, 0, 9), span(A, 1, 0, 9)], [finding])).lanes
    assert [(lane.name, len(lane.marks)) for lane in lanes] == [("T  b0 0", 0), ("T  b0 1", 1)]


def test_timeline_covers_findings_outside_of_ownership():
    finding = Finding(What.REFUSED, Level.SEEN, "G", "T", (), (Interval(None, 50, 70),), "x", (), ())
    marked = Finding(What.NOBODY, Level.SEEN, "G", "T", (), (Interval(("T", "b0", 7), 9, 40),), "x", (), ())
    shown = timeline(group([span(A, 0, 0, 9)], [marked, finding]))
    assert shown.end == 70
    assert [what for what, _ in shown.kinds] == [What.NOBODY, What.REFUSED]
    assert shown.lanes[-1].name == "T  b0 7"


def test_group_without_times_has_no_timeline():
    undated = Finding(What.STORM, Level.SEEN, "G", "", (), (Interval(None, None, None),), "x", (), ())
    assert timeline(group([], [undated])) is None


def test_narrow_bars_become_cells_of_their_main_owner():
    bars = [Bar(0, 0, 6), Bar(1, 6, 10), Bar(0, 10, 20), Bar(1, 20, 24), Bar(0, 24, 28), Bar(2, 28, 40)]
    assert list(coarse(bars, 0, 10)) == [
        Bar(0, 10, 20),
        Bar(2, 28, 40),
        Bar(0, 0, 10),
        Bar(IN_TURN, 20, 30),
    ]


def test_close_marks_are_merged_and_counted():
    marks = [Mark(What.TWO, begin, begin + 2, 0) for begin in (0, 5, 30)]
    assert [(one.begin, one.end, number) for one, number in merged(marks, 10)] == [(0, 7, 2), (30, 32, 1)]


def test_findings_of_a_bin_are_counted():
    marks = [Mark(What.TWO, begin, begin + 2, 0) for begin in (1, 5, 30)]
    assert list(binned(marks, 0, 10)) == [(0, 10, 2), (30, 32, 1)]
