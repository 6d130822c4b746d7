"""The audit of recorded groups' logs, compared with the recorded events."""

import pytest

from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.sources import sources
from tests.recorded.audit.audited import LOGS, of_recorded, truth

NEAR, LOGGED = 5_000, 1_000
"""ms by which an end may be off, and a beginning that a line tells."""
STOPPED = (1_795_461_325_943, 1_795_461_476_617)
"""ms between which c1 of b_sigstop wrote nothing."""


def found(group, what, level=None):
    return [one for one in group.findings if one.what is what and (level is None or one.level is level)]


def only(audited, name):
    return next(one for one in audited.groups if one.name == name)


@pytest.mark.parametrize(
    ("scenario", "group", "names"),
    [("java-4.9.8/b_sigstop", "G", ("c0", "c1")), ("java-5.3.3/ordered_all", "J12", ("J12c0", "J12c1", "J12c2"))],
)
def test_recorded_entries_are_found_at_their_times(tmp_path, scenario, group, names):
    spans = {}
    for one in only(of_recorded(scenario, tmp_path), group).spans:
        who = one.member[0].rpartition("@")[2]
        spans.setdefault((who, ":".join(map(str, one.queue))), []).append(one)
    really = {key: own for key, own in truth(scenario, names).items() if "WARM" not in key[1]}
    assert set(spans) == set(really)
    for key, own in really.items():
        assert len(spans[key]) == len(own), key
        for one, (begin, end) in zip(spans[key], own, strict=True):
            assert abs(one.begin - begin) <= (LOGGED if one.begins else NEAR), key
            assert abs(one.end - end) <= NEAR, key


def test_paused_consumer_is_no_second_reader(tmp_path):
    """It had its queues and pulled nothing: no second owner is SEEN, and it sets offsets back."""
    group = only(of_recorded("java-4.9.8/b_sigstop", tmp_path), "G")
    (two,) = found(group, What.TWO)
    assert two.level is Level.POSSIBLE
    assert {one.queue[2] for one in two.intervals} == {4, 5, 6, 7}
    (silent,) = found(group, What.UNREAD)
    assert (silent.at, silent.until) == STOPPED
    (back,) = found(group, What.BACK)
    assert back.level is Level.SEEN
    assert back.members == ("127.0.0.1@c0", "127.0.0.1@c1")
    assert back.numbers == {"before": 424, "after": 80, "lines": 0}
    assert found(group, What.NOBODY) == []


def test_two_ordered_listeners_are_found(tmp_path):
    """The first listener ended 0.6 to 0.8 s after the second owner added the queue: the clocks were measured."""
    group = only(of_recorded("java-5.3.3/ordered_all", tmp_path), "J12")
    (one,) = found(group, What.LISTENERS)
    assert one.level is Level.SEEN
    assert one.members == ("127.0.0.1@J12c0", "127.0.0.1@J12c1")
    assert [each.queue[2] for each in one.intervals] == [5, 6, 7]
    assert all(500 < each.long < 1_000 for each in one.intervals)
    assert found(group, What.TWO) == []


def test_two_strategies_are_found(tmp_path):
    """With AVG and AVG_BY_CIRCLE, two queues have two owners, and two have none."""
    group = only(of_recorded("java-4.9.8/g_mixed", tmp_path), "G")
    (two,), (nobody,) = found(group, What.TWO), found(group, What.NOBODY)
    assert (two.level, nobody.level) == (Level.SEEN, Level.SEEN)
    assert [one.queue[2] for one in two.intervals] == [1, 3]
    assert [one.queue[2] for one in nobody.intervals] == [4, 6]
    (views,) = found(group, What.VIEWS)
    assert "AVG in 127.0.0.1@c0; AVG_BY_CIRCLE in 127.0.0.1@c1" in views.detail
    assert two.causes[0] == "strategies-differ"


def test_broker_log_does_not_change_the_entries(tmp_path):
    """A broker's log adds findings and ends of killed processes; this group had none."""
    every = only(of_recorded("java-4.9.8/g_mixed", tmp_path), "G")
    logs, _ = sources([str(LOGS / "java-4.9.8/g_mixed/c*")], tmp_path)
    alone = only(audit(logs, Asked()), "G")
    assert len(every.spans) > 8
    assert alone.spans == every.spans
    assert {one.version for one in every.coverage} == {"V4_9_8"}
