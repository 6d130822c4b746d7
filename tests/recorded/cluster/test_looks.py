"""Snapshots of a client's entries: each new entry is in one, even if that was written first."""

from tests.recorded.cluster import made
from tests.recorded.cluster.made import begun, event

Q = "T1:b0:0"


def _look(at, entry="a"):
    marks = {"dropped": False, "locked": True, "in_table": True, "messages": 0, "lock_age": 1, "pull_age": 1}
    return event(at, "c0", "entry", q=Q, entry=entry, **marks)


def _whys(folder, *looks):
    new = event(1_000, "c0", "entry-new", q=Q, entry="a", locked=True)
    lines = sorted([*looks, new], key=lambda one: one["at"])
    return made.whys(
        made.trace(folder, [*begun({"of": "c0", "id": "c0"}), *lines, event(9_000, "c0", "patched")]), "trace"
    )


def test_look_between_table_and_event_is_accepted(tmp_path):
    """The entry is in the table before the process has written its event."""
    assert _whys(tmp_path / "after", _look(1_040)) == []
    assert _whys(tmp_path / "before", _look(1_000)) == []
    late = ["no poll has seen the entry a of T1:b0:0 since 1000 ms"]
    assert _whys(tmp_path / "never") == late
    assert _whys(tmp_path / "other", _look(1_000, "b")) == late


def test_unobserved_short_entry_is_accepted(tmp_path):
    """No snapshot has it, and none shows its removal; an entry in a snapshot is removed in a later one."""
    more = {"how": "remove", "dropped": True, "locked": True, "messages": 0, "since_pull": 5}
    gone = event(1_045, "c0", "entry-gone", q=Q, entry="a", **more)
    assert _whys(tmp_path / "between", gone) == []
    assert _whys(tmp_path / "seen", _look(1_040), gone) == ["no poll has seen the entry a of T1:b0:0 since 1045 ms"]


def test_look_between_removal_and_event_is_accepted(tmp_path):
    """The entry has left the table before the process has written its event; the next look shows nothing new."""
    more = {"how": "remove", "dropped": True, "locked": True, "messages": 0, "since_pull": 5}
    gone = event(5_000, "c0", "entry-gone", q=Q, entry="a", **more)
    left = {**_look(5_000), "dropped": True, "in_table": False}
    assert _whys(tmp_path / "before", _look(1_040), left, gone) == []
    assert _whys(tmp_path / "long before", _look(1_040), {**left, "at": left["at"] - 3_000}, gone) != []
