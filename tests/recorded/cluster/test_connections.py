"""A member has several connections at a broker at one time."""

from tests.recorded.cluster import made
from tests.recorded.cluster.made import BEAT, EPOCH, begun, call, event

BYE, LIST = "UNREGISTER_CLIENT", "GET_CONSUMER_LIST_BY_GROUP"
BEATS = {"clientID": "1@c0", "groups": [{"group": "G", "subs": {"T1": f"*@{EPOCH + 50}"}}]}
LEAVES = {"clientID": "1@c0", "consumerGroup": "G"}
NOBODY = "the broker answers another list"


def _beat(opaque, times, port):
    return call("c0", BEAT, opaque, times, port, BEATS, {"code": 0})


def _ids(opaque, times, port, *ids):
    answer = {"code": 0, "ids": ids} if ids else {"code": 1, "remark": "no consumer for this group, G"}
    return call("c0", LIST, opaque, times, port, {"consumerGroup": "G"}, answer)


def _row(at, was, *ports):
    of = [" ".join(f"1@c0:{port}" for port in each) or None for each in (was, ports)]
    return [event(at, "b0", "table", what="members", of="G", was=of[0], **{"is": of[1]})]


def _rejections(folder, lines):
    return made.whys(made.trace(folder, [*begun({"of": "c0", "id": "c0"}), *lines]), "registry")


def _thawed(folder, last):
    """After a broker's pause, a list of ids is empty before heartbeats on new connections.

    ``last``: the port of a later heartbeat.
    """
    signals = [(20_000, "SIGSTOP"), (50_000, "SIGCONT")]
    lines = [event(at, "driver", "signal", of="b0", signal=name) for at, name in signals]
    lines += [*_beat(1, (6_000, 6_001, 6_002), 2), *_row(6_050, (), 2), *_ids(2, (45_000, 50_010, 50_010), 3)]
    lines += [*_beat(3, (42_000, 50_020, 50_021), 4), *_beat(4, (46_000, 50_030, 50_031), 5)]
    lines += [*_row(50_050, (2,), *(port for port in (2, 4, 5) if port in (4, 5, last)))]
    lines += [*_beat(5, (60_000, 60_001, 60_002), last)]
    return _rejections(folder, lines)


def test_connection_may_end_before_the_next_one_begins(tmp_path):
    assert _thawed(tmp_path, 5) == []


def test_connection_that_is_used_later_has_not_ended(tmp_path):
    assert _thawed(tmp_path, 2) == [NOBODY]


def _left(folder, port, *, late=5, listed=()):
    """A member leaves over a connection, and a delayed heartbeat arrives over a third one.

    ``port``: of the second connection. ``late``: of the third one, 0 for none. ``listed``: what polls see of it.
    The process ends at 34 s, and then the polls see the end of its first connection.
    """
    lines = [event(20_000, "driver", "delay", of="b0", ms=4_000), event(30_950, "driver", "delay", of="b0", ms=0)]
    lines += [*_beat(1, (6_000, 6_001, 6_002), 2), *_row(6_050, (), 2), event(31_000, "c0", "shutdown-begin")]
    lines += call("c0", BYE, 2, (31_001, 31_002, 31_003), port, LEAVES, {"code": 0})
    lines += [event(34_000, "driver", "ended", of="c0"), *_row(34_050, (2,))]
    lines += _beat(3, (30_900, 34_500, 34_501), late)[:3] if late else []
    lines += [*_row(34_550, (), *listed), *_row(37_000, listed)] if listed else []
    lines += [*_ids(9, (50_000, 50_001, 50_002), 9)[1:3]]
    return _rejections(folder, lines)


def test_unregistration_on_a_new_connection_leaves_the_earlier_one_listed(tmp_path):
    assert _left(tmp_path / "new", 4, late=0) == []
    assert _left(tmp_path / "same", 2, late=0) == ["no poll has seen the change"]


def test_delayed_heartbeat_lists_a_member_that_has_left(tmp_path):
    assert _left(tmp_path / "seen", 4, listed=(5,)) == []
    assert _left(tmp_path / "unseen", 4) == []


def test_poll_may_be_written_after_a_heartbeat_that_it_has_not_seen(tmp_path):
    lines = [*made.joins("1@d0", 9, 5_990), *_beat(1, (6_000, 6_001, 6_010), 2)]
    lines += [event(6_020, "b0", "table", what="members", of="G", was=None, **{"is": "1@d0:9"})]
    lines += [*_ids(2, (6_015, 6_021, 6_021), 2, "1@c0", "1@d0")]
    both = "1@c0:2 1@d0:9"
    lines += [event(6_070, "b0", "table", what="members", of="G", was="1@d0:9", **{"is": both})]
    lines += [*_ids(3, (9_000, 9_001, 9_001), 2, "1@c0", "1@d0")]
    assert _rejections(tmp_path, lines) == []


def test_connection_that_polls_have_seen_ending_does_not_hide_a_later_end(tmp_path):
    """Each heartbeat opens a connection, which ends before the next heartbeat; once, a list of ids shows that."""
    lines = [event(5_000, "driver", "delay", of="b0", ms=500), *_ids(90, (7_150, 7_151, 7_152), 9)[1:3]]
    for number, at in enumerate((6_000, 6_400, 6_800, 7_200, 7_600, 8_600, 9_000)):
        before = (1 + number,) if number else ()
        lines += [*_beat(number, (at, at + 1, at + 2), 2 + number), *_row(at + 4, before, 2 + number)]
    assert _rejections(tmp_path, lines) == []


def test_route_changes_after_the_end_of_a_process_do_not_concern_it(tmp_path):
    lists = {"topic": "T1", "strategy": "AVG", "cid": "1@c0", "cidAll": ["1@c0"], "error": None}
    queues = [f"T1:b0:{number}" for number in range(3)]
    lines = [*_beat(1, (6_000, 6_001, 6_002), 2), *_row(6_050, (), 2)]
    for at, known in ((7_000, queues[:1]), (22_000, queues[:2])):
        lines += [event(at, "c0", "allocate", mqAll=known, result=known, **lists)]
    lines += [
        event(20_000, "driver", "topics", spec="T1:2"),
        event(23_000, "driver", "signal", of="c0", signal="SIGKILL"),
    ]
    lines += [
        *_row(23_050, (2,)),
        event(40_000, "driver", "topics", spec="T1:3"),
        *_ids(9, (60_000, 60_001, 60_002), 9)[1:3],
    ]
    assert _rejections(tmp_path / "dead", lines) == []
    alive = [line for line in lines if line["at"] < made.EPOCH + 22_500]
    alive += [event(25_000, "c0", "allocate", mqAll=queues, result=queues, **lists)]
    alive += [event(40_000, "driver", "topics", spec="T1:3"), event(50_000, "c0", "persist-all", queues=0)]
    assert _rejections(tmp_path / "alive", alive) == ["a rebalance has queues that no route poll has returned"]
